/** The command palette. */
export default {
  label: "Go to or create",
  short: "Go to …",
  shortcut: "Ctrl K",
  placeholder: "A page, an id, an e-mail …",
  nothing: "Nothing of that name. Ids and e-mails must be whole.",
  failed: "That could not be opened",
  groups: {
    open: "Open",
    goTo: "Go to",
    create: "Create",
  },
  creations: {
    paymentLink: "Create payment link",
    subscription: "Create subscription",
    package: "Create package",
    tokenization: "Create tokenization",
    importPaymentLinks: "Import payment links",
  },
  /** What a pasted id leads to, by its prefix. */
  open: {
    pl: "Open the payment link",
    pay: "Open the payment",
    sub: "Open the subscription",
    pkg: "Open the package",
    tkn: "Open the tokenization",
    evt: "Open the event",
    whe: "Open the webhook endpoint",
    whd: "Open the webhook delivery",
    eml: "Open the e-mail",
    ref: "Open the refund’s payment",
    req: "Open the request",
    requestId: "Find the request",
    customer: "Open the customer",
  },
} as const;
