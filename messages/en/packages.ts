/** The list of packages, the page about one, and what one costs. */
export default {
  /** By the API's value. */
  status: {
    active: "Active",
    cancel: "Cancelled",
  },
  /** How often a package is charged, by the API's value. */
  frequency: {
    daily: "Every day",
    weekly: "Every week",
    monthly: "Every month",
    quarterly: "Every quarter",
    semiannual: "Every 6 months",
    yearly: "Every year",
  },
  /** What it costs ("€15.00 a month"), by how often it is charged; the amount and the rest may look different. */
  price: {
    daily: "<sum>{amount}</sum> <per>a day</per>",
    weekly: "<sum>{amount}</sum> <per>a week</per>",
    monthly: "<sum>{amount}</sum> <per>a month</per>",
    quarterly: "<sum>{amount}</sum> <per>a quarter</per>",
    semiannual: "<sum>{amount}</sum> <per>every 6 months</per>",
    yearly: "<sum>{amount}</sum> <per>a year</per>",
  },
  list: {
    create: "Create package",
    search: "Search packages",
    searchPlaceholder: "Name or description",
    emptyTitle: "No packages yet",
    empty:
      "A package is what customers subscribe to: an amount that is charged every period. Create one, then subscribe somebody to it.",
    caption: "Packages, newest first",
    subscribers: "{count, plural, one {# subscriber} other {# subscribers}}",
    showSubscribers: "{count, number} subscribed to {name}: show them",
  },
  /** What the list was asked for, as it stands in “No package has …”. */
  asked: {
    status: "the status {status}",
    text: "“{text}” in it",
  },
  columns: {
    name: "Name",
    amount: "Amount",
    subscribers: "Subscribers",
    status: "Status",
    created: "Created",
  },
  form: {
    createTitle: "Create package",
    createLabel: "New package",
    createAction: "Create package",
    created: "Created: {name}",
    editTitle: "Edit package",
    editLabel: "Edit package",
    editAction: "Save package",
    saved: "Saved: {name}",
    name: "Name",
    nameHint: "What customers subscribe to. They see it on every payment page.",
    amount: "Amount each period",
    amountHint: "5.00 to 30,000.00",
    amountHintUsed: "A new amount applies from each subscription’s next period.",
    amountPlaceholder: "0.00",
    currency: "Currency",
    charged: "Charged",
    firstCharge: "First charge",
    firstChargeHint: "In the time zone {zone}. Without a date, or once it is past: when somebody subscribes.",
    firstChargeOpen: "When somebody subscribes",
    description: "Description",
    agreed: "What cannot be changed",
    agreedWhy:
      "These stay as they are: {count, plural, one {one customer has} other {# customers have}} subscribed to them.",
  },
  detail: {
    edit: "Edit",
    heading: "Details",
    state: {
      active: "Customers can subscribe to it.",
      cancel: "Nobody can subscribe to it any more. Whoever does is charged as before.",
    },
    charged: "Charged",
    firstCharge: "First charge",
    subscribers: "Subscribers",
    created: "Created",
    changed: "Last changed",
    description: "Description",
    id: "ID",
    subscriptions: "Subscriptions",
    noSubscriptions: "Nobody has subscribed to it.",
    allSubscriptions: "All subscriptions",
  },
  actions: {
    edit: "Edit {name}",
    more: "More for {name}",
    cancel: "Cancel package",
    remove: "Delete",
    failed: "That did not work",
  },
  /** What is asked before a package is changed, and "done" afterwards. */
  questions: {
    cancel: {
      title: "Cancel this package?",
      action: "Cancel package",
      text: "Nobody can subscribe to <b>{name}</b> any more. This cannot be undone.",
      subscribers:
        "{count, plural, one {The one who subscribes to it keeps being charged every period: cancel a subscription to end it.} other {The # who subscribe to it keep being charged every period: cancel a subscription to end it.}}",
      done: "Cancelled: {name}",
    },
    remove: {
      title: "Delete this package?",
      action: "Delete",
      text: "<b>{name}</b> disappears from the list. This cannot be undone.",
      done: "Deleted: {name}",
    },
  },
} as const;
