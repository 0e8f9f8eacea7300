/** The timeline of a payment link, subscription, package or tokenization. */
export default {
  title: "Timeline",
  loading: "Loading timeline…",
  next: "Next",
  past: "History",
  more: "Show more",
  empty: "Nothing yet.",
  delivered: "{count, number} webhooks delivered",
  by: {
    payer: "by the payer",
    key: "by the key “{name}”",
    unnamedKey: "by an API key",
    person: "by {name}",
    unnamedPerson: "by a member",
    paydesk: "by Paydesk",
  },
} as const;
