/** Tokenizations, and the cards that were saved by them. */
export default {
  status: {
    pending: "Pending",
    active: "Active",
    revoked: "Revoked",
    expired: "Expired",
  },
  card: {
    name: "{brand, select, visa {Visa} mastercard {Mastercard} amex {American Express} other {{brand}}} ending in {last4}",
    unknown: "a card",
    toBeSavedBy: "To be saved by <when></when>",
    notSavedInTime: "Not saved in time",
  },
  list: {
    caption: "Tokenizations, newest first",
    create: "Create tokenization",
    search: "Search tokenizations",
    searchHint: "E-mail or title",
    email: "E-mail",
    card: "Card",
    status: "Status",
    created: "Created",
    emptyTitle: "No tokenizations yet",
    empty:
      "With a tokenization a payer saves a card, which subscriptions are then charged to. Create one and send its link.",
  },
  /** What was asked for: "No tokenization has the status active and …". */
  asked: {
    status: "the status {status}",
    q: "“{q}” in it",
  },
  actions: {
    copy: "Copy the activation link of {email}",
    open: "Open the activation link of {email} in a new tab",
    more: "More for {email}",
    revoke: "Revoke",
  },
  revoke: {
    title: "Revoke this card?",
    action: "Revoke",
    text: "<b>{card}</b> of {email} cannot be charged any more. This cannot be undone.",
    textUnknown: "<b>The card</b> of {email} cannot be charged any more. This cannot be undone.",
    subscriptions:
      "Subscriptions of this e-mail are charged to the card that was saved before it, or wait for their payer.",
    done: "Revoked: the card of {email}",
    failed: "That did not work",
  },
  form: {
    title: "New tokenization",
    action: "Create tokenization",
    email: "Payer’s e-mail",
    emailHint: "The card is charged for subscriptions of this e-mail.",
    cardTitle: "Title",
    cardTitleHint: "What the card is saved for. The payer sees it.",
    description: "Description",
    descriptionHint: "Shown to the payer below the title.",
  },
  created: {
    heading: "The activation link is ready",
    text: "Send it to {email}. A card can be saved with it for 24 hours; nothing is charged.",
    copyLabel: "Copy the activation link",
    copy: "Copy the link",
    open: "Open it<newTab>in a new tab</newTab>",
    done: "Done",
  },
} as const;
