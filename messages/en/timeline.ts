/** What has happened to a payment link, a subscription, a package or a tokenization, and what happens next. */
export default {
  title: "Timeline",
  loading: "Loading the timeline …",
  next: "What happens next",
  past: "What has happened",
  more: "Show more",
  /** Who did it. */
  by: {
    payer: "by the payer",
    key: "by the key “{name}”",
    unnamedKey: "by an API key",
    person: "by {name}",
    unnamedPerson: "by a colleague",
    paydesk: "by Paydesk",
  },
} as const;
