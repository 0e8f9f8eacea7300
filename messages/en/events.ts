/** What has happened. */
export default {
  detail: {
    when: "When",
    by: "By",
    about: "About",
    allItsEvents: "All its events",
    event: "Event",
    json: "As your system reads it",
    copyJson: "Copy the JSON",
    copy: "Copy",
    asJson: "The event as JSON",
  },
  page: {
    title: "Events",
    search: "Find a resource’s events",
    searchHint: "Id: pl_…, sub_…",
    empty: "No events yet",
    emptyText:
      "Whatever happens to your links, payments and subscriptions is written down here, and sent to your webhooks.",
    list: "Events, newest first",
    type: "Type",
    about: "About",
    by: "By",
    when: "When",
    asked: {
      type: "the type {type}",
      resource: "the resource {id}",
    },
  },
  typeFilter: {
    label: "Type of event",
    all: "All types",
  },
  actor: {
    api_key: "An API key",
    user: "Somebody in the dashboard",
    payer: "The payer",
    system: "Paydesk",
  },
} as const;
