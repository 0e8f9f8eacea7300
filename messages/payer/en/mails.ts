/** Mails to payers about a payment link, in English. See pages.ts. */
const mails = {
  frame: {
    testSubject: (subject: string) => `[Test] ${subject}`,
    testMode: "Test mode: no money moves.",
    /** Followed by the business's e-mail address. */
    reply: "Questions? Reply to this e-mail or write to",
    /** After that address. */
    orCall: (phone: string) => ` or call ${phone}.`,
    call: (phone: string) => `Questions? Call ${phone}.`,
    sentBy: (business: string) => `Sent by ${business}. Payments by Paydesk.`,
    /** Followed by the address that the button opens. */
    ifButtonFails: "If the button doesn’t work, open",
    labelled: (name: string) => `${name}:`,
  },
  facts: {
    for: "For",
    amount: "Amount",
    card: "Card",
    reference: "Reference",
    paidOn: "Paid on",
    paidWith: "Paid with",
    receiptNumber: "Receipt number",
  },
  viewReceipt: "View receipt",
  useAnotherCard: "Use another card",

  paymentLink: {
    subject: (amount: string, title: string) => `${amount} to pay: ${title}`,
    preview: (business: string, amount: string) => `${business} asks you to pay ${amount}.`,
    heading: (amount: string) => `Please pay ${amount}`,
    sent: (business: string) => `${business} has sent you a payment link.`,
    payNow: (business: string, moment: string) =>
      `Pay this period of your subscription with ${business} now, or the saved card is charged on ${moment}.`,
    cardDeclined: (business: string) =>
      `${business} couldn’t charge your saved card for this period of your subscription.`,
    period: (business: string) => `Please pay for this period of your subscription with ${business}.`,
    payBefore: "Pay before",
    pay: (amount: string) => `Pay ${amount}`,
    unexpected: "Didn’t expect this? You can ignore this e-mail. Nothing is charged automatically.",
    canSaveCard: "After you have paid, you can save a card for the next payments.",
  },

  receipt: {
    subject: (amount: string, title: string) => `Receipt: ${amount} for ${title}`,
    preview: (amount: string, business: string) => `You paid ${amount} to ${business}.`,
    heading: "Thank you for your payment",
    text: (business: string, amount: string) => `${business} has received ${amount}.`,
  },

  refund: {
    subject: (amount: string, title: string) => `Refund: ${amount} for ${title}`,
    preview: (business: string, amount: string) => `${business} has returned ${amount}.`,
    previewToCard: (business: string, amount: string) => `${business} has returned ${amount} to your card.`,
    heading: (amount: string) => `Your refund of ${amount} is on its way`,
    /** Of money that the merchant returns outside Paydesk, such as cash. */
    headingByHand: (amount: string) => `Your refund of ${amount}`,
    text: (business: string, amount: string) => `${business} has returned ${amount} to you.`,
    textToCard: (business: string, amount: string) =>
      `${business} has returned ${amount} to the card that you paid with. Your bank shows it in 5 to 10 days.`,
    refund: "Refund",
    tax: (percent: string) => `Tax in the refund (${percent})`,
    refundedOn: "Refunded on",
    paid: "Paid",
    net: "Net paid",
    number: "Refund number",
    missing: (business: string) => `Not there after 10 days? Contact ${business} with the refund number.`,
  },

  paymentFailed: {
    subject: (amount: string, title: string) => `Payment failed: ${amount} for ${title}`,
    preview: (business: string, amount: string) => `${business} couldn’t charge your card ${amount}.`,
    heading: (amount: string) => `Your payment of ${amount} failed`,
    text: (business: string) => `${business} couldn’t charge your saved card. You have not been charged.`,
    attemptedOn: "Attempted on",
    nextAttempt: "Next attempt",
    payNow: (amount: string) => `Pay ${amount} now`,
    confirmNow: (amount: string) => `Confirm and pay ${amount} now`,
    hard: "We won’t charge this card again. Pay with another card; then you can save it for the next payments.",
    noRetry: "We won’t retry this card. You can pay with any card.",
    retry: (moment: string) => `Pay now with any card, or do nothing: we’ll try the card again on ${moment}.`,
  },
};

export default mails;
export type MailTexts = typeof mails;
