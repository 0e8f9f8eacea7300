import { type ManualMethod, methodNames } from "@/lib/core/payment-methods";
import { subscriptionWords } from "@/lib/core/price-words";
import type { DeclineReason } from "@/lib/gateways/reasons";

/**
 * What payers read on their pages, in English. A text with values in it is a function. Its arguments are already formatted:
 * amounts with their currency, days, names.
 */
const pages = {
  frame: {
    testMode: "Test mode",
    questions: (business: string) => `Questions? Contact ${business}:`,
    poweredBy: "Payments by Paydesk",
  },
  or: "or",
  continue: "Continue",
  goTo: (business: string) => `Go to ${business}`,
  takingBack: (business: string) => `Taking you back to ${business} now.`,
  notCharged: "You have not been charged.",
  canClose: "You can close this page now.",
  thanks: "Thank you",

  facts: { amount: "Amount", for: "For", paidTo: "Paid to", date: "Date", card: "Card", paidWith: "Paid with" },
  card: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  methods: methodNames as Record<ManualMethod, string>,

  pay: {
    title: (amount: string, business: string) => `Pay ${amount} to ${business}`,
    titleWithErrors: (title: string) => `Please check: ${title}`,
    byCard: "Pay by card",
    button: (amount: string) => `Pay ${amount}`,
    buttonToGateway: (amount: string) => `Continue to pay ${amount}`,
    safeAtGateway: "You enter your card on our payment provider’s page. We never see it.",
    safe: "Your card number is used for this payment only and is not stored.",
    safeWhenSaving: "We never store your card number.",
    byTransfer: "Pay by bank transfer",
    awaiting: (business: string) => `${business} is waiting for your transfer`,
    awaitingText: "If you have sent it, there’s nothing left to do. You can still pay by card instead.",
    saveCard: "Save my card for future payments",
    failed: "Payment failed",
    changed: "This payment has changed",
    changedText: (amount: string) =>
      `The amount is now ${amount}. You have not been charged. Please check it before you pay.`,
    changedTaxText: (amount: string) =>
      `The included tax has changed. The amount is still ${amount}. You have not been charged. Please check the tax before you pay.`,
  },

  fields: {
    check: "Please check the card details",
    number: "Card number",
    expiry: "Expiry date",
    expiryExample: "MM / YY",
    cvc: "Security code",
    holder: "Name on card",
    optional: "(optional)",
    numberMissing: "Enter the card number.",
    numberWrong: "Check the card number: a digit seems to be wrong or missing.",
    expiryMissing: "Enter the expiry date.",
    expiryWrong: "Enter the expiry date like 08 / 31.",
    expired: "This card has expired.",
    yearWrong: "Check the expiry year.",
    cvcMissing: "Enter the security code.",
    cvcWrong: "Enter the security code: 3 or 4 digits.",
    cvcLength: (digits: string) => `The security code of this card has ${digits} digits.`,
    testCardsOnly: "Test mode takes test cards only. Choose one from the list.",
  },

  /** In test mode, above the list of cards, which is in English. */
  testCards: {
    title: "Test cards",
    text: "No money moves. Any future expiry date and any security code will do.",
  },

  /** What saving a card charges to it, and the next charge. */
  charges: {
    dueWhenSaved: (total: string) => `${total} will be charged to this card when you save it:`,
    dueIfSaved: (total: string) => `${total} will be charged to this card too, if you save it:`,
    more: "And",
    onePeriod: "1 more period",
    periods: (count: string) => `${count} more periods`,
    total: "In total",
    next: (amount: string, title: string, day: string) => `Next charge: ${amount} for ${title} on ${day}.`,
  },

  /** Why a payment failed. No text reveals that a card was reported stolen. */
  declines: {
    card_declined: "Your bank declined the card. Try another card, or ask your bank.",
    insufficient_funds: "There is not enough money on the card. Try another card.",
    limit_exceeded: "The payment is above the card’s limit. Try another card, or ask your bank.",
    processing_error: "The payment could not be processed. Try again in a moment.",
    gateway_refused: "The merchant cannot take this payment at the moment. Nothing was charged. Please contact them.",
    authentication_required: "Your bank wants you to confirm payments with this card yourself.",
    authentication_failed: "The payment was not confirmed with your bank. Try again, or use another card.",
    abandoned: "The payment was not finished.",
    expired_card: "The card has expired. Try another card.",
    incorrect_number: "The card number is not correct. Check it, or try another card.",
    incorrect_cvc: "The security code is not correct. Check it and try again.",
    card_not_supported: "The card does not support this kind of payment. Try another card.",
    card_blocked: "Your bank declined the card. Try another card, or ask your bank.",
  } satisfies Record<DeclineReason, string>,

  transfer: {
    title: (amount: string, business: string) => `Pay ${amount} to ${business} by bank transfer`,
    heading: "Pay by bank transfer",
    testMode: (business: string) => `Test mode: don’t transfer any money. This is ${business}’s real account.`,
    awaiting: (business: string) => `${business} is waiting for your transfer.`,
    amount: "Amount",
    holder: "Account holder",
    reference: "Payment reference",
    referenceHint: (business: string) => `Give exactly this reference, so that ${business} can match your payment.`,
    qrCodeLabel: (amount: string, holder: string) =>
      `QR code for a bank transfer of ${amount} to ${holder}, with the details above`,
    /** In bold, followed by `toFillIn` in the same sentence. */
    scan: "Scan with your banking app",
    toFillIn: "to fill in the transfer.",
    duration: (business: string) =>
      `A transfer usually takes one working day. Once ${business} has confirmed it, this page shows your receipt.`,
    byCard: "Pay by card instead",
  },

  paid: {
    title: (title: string) => `Paid: ${title}`,
    heading: "Already paid",
    nothingLeft: "There’s nothing left to pay.",
    notAgain: "You have not been charged a second time.",
    receipt: "Receipt",
    received: "Your payment has been received.",
    noCard: "No card is saved for future payments. If you save a card, it will be charged for them.",
    saveCard: "Save a card",
  },

  inFlight: {
    title: "Checking your payment",
    heading: "We are checking your payment",
    opened: (amount: string, business: string) =>
      `You started a payment of ${amount} to ${business}. We can’t check its status at the moment.`,
    processing: (amount: string, business: string) => `Your payment of ${amount} to ${business} is processing.`,
    wait: "Please don’t pay again. This page updates by itself.",
  },

  /** The payer has to act at the bank, or at the gateway's page. */
  bank: {
    title: "Confirm with your bank",
    text: (amount: string, business: string) =>
      `Your bank asks you to confirm the payment of ${amount} to ${business}.`,
    proceed: "Continue to your bank",
    back: "Use another card",
  },
  unfinished: {
    title: "Your payment isn’t finished",
    text: (amount: string, business: string) =>
      `You started a payment of ${amount} to ${business}. You have not been charged yet.`,
    proceed: "Continue to payment",
    back: "Start over",
  },
  opening: {
    title: "Opening the secure payment page",
    text: (amount: string, business: string) => `You’ll pay ${amount} to ${business} there.`,
  },

  closed: {
    expired: "This payment link has expired",
    inactive: "This payment link is not active",
    deleted: "This payment link is no longer available",
    askForNew: (business: string) => `You can’t pay with this link. Please ask ${business} for a new one.`,
    paused: (business: string) => `${business} has paused this link. You can’t pay with it at the moment.`,
    ended: "This subscription has ended",
    cancelled: (business: string) => `Your subscription with ${business} was cancelled. This payment is no longer due.`,
    completed: (business: string) => `Your subscription with ${business} is over. This payment is no longer due.`,
    payAnyway: (business: string) => `To pay it anyway, or to subscribe again, contact ${business}.`,
    noGateway: "Payments are not available yet",
    noGatewayText: (business: string) => `${business} can’t take payments here yet.`,
  },

  /** The page on which a payer saves a card. */
  activate: {
    title: (business: string) => `Save your card with ${business}`,
    declined: "The card was not saved",
    /** Replaces texts of `declines` that are about a payment, when the gateway, not the bank, saved no card. */
    declines: {
      gateway_refused: "The merchant cannot save cards at the moment. Nothing was charged. Please contact them.",
      processing_error: "The card could not be checked. Nothing was charged. Try again in a moment.",
    } satisfies Partial<Record<DeclineReason, string>>,
    heading: "Save your card",
    nothingNow: "Nothing is charged now.",
    later: (business: string) => `${business} may charge this card later for what you agreed with them.`,
    button: "Save card",
    buttonAndPay: (total: string) => `Save card and pay ${total}`,
    buttonToGateway: "Continue to save your card",
    buttonToGatewayAndPay: (total: string) => `Continue to save your card and pay ${total}`,
    opening: "Opening the secure card page",
    openingText: (business: string) => `You’ll save your card for ${business} there.`,
    nothing: "Nothing is charged.",
    willBeCharged: (total: string) => `${total} will be charged to it when you have saved it.`,
    saved: "Card saved",
    savedHeading: "Your card is saved",
    inAMoment: (total: string) => `${total} will be charged to it in a moment.`,
    someDeclined: (business: string) =>
      `A payment was declined. Contact ${business}, or pay with the link that you received.`,
    wereCharged: "These payments were charged to it:",
    nothingCharged: "Nothing was charged. You can close this page now.",
    charged: (amount: string) => `${amount} charged`,
    notCharged: (amount: string) => `${amount} not charged: declined`,
    charging: (amount: string) => `${amount} is being charged`,
    noGateway: "Cards can’t be saved yet",
    noGatewayText: (business: string) => `${business} can’t save cards here yet.`,
    expired: "This link has expired",
    revoked: "This link is no longer valid",
    closedText: (business: string) => `You can’t save a card with it. Please ask ${business} for a new link.`,
  },

  subscription: subscriptionWords,

  /** The tax that the amount includes. */
  tax: {
    included: (percent: string, amount: string) => `Includes ${percent} tax: ${amount}`,
    net: "Amount without tax",
    line: (percent: string) => `Tax (${percent})`,
    total: "Total",
  },

  receipt: {
    title: (business: string) => `Receipt from ${business}`,
    heading: "Receipt",
    seller: "From",
    reference: "Reference",
    paidOn: "Paid on",
    number: "Receipt number",
    testMode: "Test payment, no money moved",
    reversed: (day: string) => `This payment was reversed on ${day} and no longer counts as paid`,
    refundedInFull: "This payment has been refunded in full",
    refunds: "Refunds",
    date: "Date",
    state: "State",
    amount: "Amount",
    succeeded: "Refunded",
    pending: "Refund pending",
    paid: "Paid",
    refunded: "Refunded",
    net: "Net paid",
    pendingText: "A pending refund is deducted once it completes.",
    download: "Download PDF",
    /** This and the texts below are only in the PDF. */
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
    replaced: (sign: string) => `${sign} replaces a character that can’t be printed.`,
    cut: "Text that ends with … is cut off.",
    seeWeb: "See the web receipt for the full text.",
  },

  limited: {
    title: "Too many attempts",
    oneSecond: "1 second",
    seconds: (count: string) => `${count} seconds`,
    minutes: (count: string) => `${count} minutes`,
    text: (time: string) => `Please wait ${time} and try again. You have not been charged.`,
    back: "Back to the form",
  },

  /** Pages for failed requests. They name no business. */
  problems: {
    link_unknown: {
      title: "We can’t find this payment",
      text: "The link is incomplete or wrong. Please open it exactly as you received it.",
    },
    token_unknown: {
      title: "We can’t find this page",
      text: "The link is incomplete or wrong. Please open it exactly as you received it.",
    },
    receipt_unknown: {
      title: "We can’t find this receipt",
      text: "The link is incomplete or wrong. Please open it exactly as you received it.",
    },
    page_unknown: { title: "We can’t find this page", text: "There is no page at this address." },
    method: { title: "That didn’t work", text: "Please open the page again from the link you received." },
    too_large: {
      title: "The form is too large",
      text: "You have not been charged. Please go back and try again.",
    },
    not_a_form: {
      title: "We couldn’t read the form",
      text: "You have not been charged. Please go back and try again.",
    },
    limited: {
      title: "Too many attempts",
      text: "Too many invalid links were opened from your network. Please wait a minute and open the page again.",
    },
    failed: {
      title: "Something went wrong on our side",
      text: "Please wait a moment, then open the page again. It shows whether you have paid.",
    },
    away: {
      title: "Temporarily unavailable",
      text: "Please open the page again in a few seconds. It shows whether you have paid.",
    },
    card_away: {
      title: "Temporarily unavailable",
      text: "Please open the page again in a few seconds. It shows whether your card is saved.",
    },
  },
};

export default pages;
export type PageTexts = typeof pages;
