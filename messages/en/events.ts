export default {
  detail: {
    when: "When",
    by: "By",
    about: "About",
    allItsEvents: "All events of this resource",
    event: "Event",
    json: "Payload",
    copyJson: "Copy JSON",
    copy: "Copy",
    asJson: "Event as JSON",
  },
  page: {
    title: "Events",
    search: "Search by resource ID",
    searchHint: "ID: pl_…, sub_…",
    empty: "No events yet",
    emptyText:
      "Everything that happens to your links, payments and subscriptions appears here and is sent to your webhooks.",
    list: "Events, newest first",
    type: "Type",
    about: "About",
    by: "By",
    when: "When",
    criterion: {
      type: "the type {type}",
      resource: "the resource {id}",
    },
  },
  typeFilter: {
    label: "Event type",
    all: "All types",
  },
  actor: {
    api_key: "An API key",
    user: "A member",
    payer: "The payer",
    system: "Paydesk",
  },
} as const;
