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
      "A package is what customers subscribe to: an amount charged every period. Create one, then subscribe a customer to it.",
    caption: "Packages, newest first",
    subscribers: "{count, plural, one {# subscriber} other {# subscribers}}",
    showSubscribers: "{count, plural, one {Show # subscriber of {name}} other {Show # subscribers of {name}}}",
  },
  /** Completes "No package has …". */
  criterion: {
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
    amountHintUsed: "New subscriptions pay it.",
    existing: "Existing subscribers",
    keepPrice: "Keep their price",
    newPrice: "Pay the new amount, after a notice",
    existingHint:
      "{count, plural, one {One subscriber} other {# subscribers}}. With the new amount, each gets an e-mail now and pays it from the first period on or after {when}.",
    amountPlaceholder: "0.00",
    currency: "Currency",
    charged: "Charged",
    firstCharge: "First charge",
    firstChargeHint: "In the time zone {zone}. Without a date, or once it has passed: when a customer subscribes.",
    firstChargeOpen: "When a customer subscribes",
    description: "Description",
    agreed: "Can’t be changed",
    agreedWhy: "{count, plural, one {One customer has} other {# customers have}} subscribed on these terms.",
  },
  detail: {
    edit: "Edit",
    heading: "Details",
    state: {
      active: "Customers can subscribe to it.",
      cancel: "No new subscriptions. Existing subscribers are charged as before.",
    },
    charged: "Charged",
    firstCharge: "First charge",
    subscribers: "Subscribers",
    created: "Created",
    changed: "Last changed",
    description: "Description",
    id: "ID",
    subscriptions: "Subscriptions",
    noSubscriptions: "No subscriptions yet.",
    allSubscriptions: "All subscriptions",
  },
  actions: {
    edit: "Edit {name}",
    more: "Actions for {name}",
    cancel: "Cancel package",
    remove: "Delete",
    failed: "Something went wrong",
  },
  /** Questions before a package changes; "done" afterwards. */
  questions: {
    cancel: {
      title: "Cancel this package?",
      action: "Cancel package",
      text: "<b>{name}</b> takes no new subscriptions. This can’t be undone.",
      subscribers:
        "{count, plural, one {Its one subscriber is still charged every period. To end that, cancel the subscription.} other {Its # subscribers are still charged every period. To end that, cancel each subscription.}}",
      done: "Cancelled: {name}",
    },
    remove: {
      title: "Delete this package?",
      action: "Delete",
      text: "<b>{name}</b> is removed from the list. This can’t be undone.",
      done: "Deleted: {name}",
    },
  },
} as const;
