// The closed lists of reasons and states with which drivers answer. Each driver maps its gateway's codes onto these.

/**
 * All decline reasons. Drivers map the gateway's codes onto these. `processing_error` passes by itself; `gateway_refused` lasts until
 * the merchant corrects the request or the account. After a `hard` decline the same card is not charged again. The texts for the
 * payer are in messages/payer.
 */
export const declineReasons = {
  card_declined: { hard: false },
  insufficient_funds: { hard: false },
  limit_exceeded: { hard: false },
  processing_error: { hard: false },
  gateway_refused: { hard: false },
  authentication_required: { hard: false },
  authentication_failed: { hard: false },
  abandoned: { hard: false },
  expired_card: { hard: true },
  incorrect_number: { hard: true },
  incorrect_cvc: { hard: true },
  card_not_supported: { hard: true },
  card_blocked: { hard: true },
} as const satisfies Record<string, { hard: boolean }>;

export type DeclineReason = keyof typeof declineReasons;

/** The text for staff. A unit test holds that the text of `payments.reason` in messages/en begins with it. */
export const declinesForStaff: Record<DeclineReason, string> = {
  card_declined: "The bank declined the card.",
  insufficient_funds: "Insufficient funds.",
  limit_exceeded: "The payment exceeds the card’s limit.",
  processing_error: "The payment could not be processed.",
  gateway_refused: "The gateway refused the request. Nothing was charged.",
  authentication_required: "The bank requires the payer to confirm. Send the payer the link.",
  authentication_failed: "The payer did not confirm with the bank.",
  abandoned: "The payer did not finish.",
  expired_card: "The card has expired.",
  incorrect_number: "The card number is incorrect.",
  incorrect_cvc: "The security code is incorrect.",
  card_not_supported: "The card does not support this kind of payment.",
  card_blocked: "The bank or the gateway has blocked the card.",
};

export function isDeclineReason(value: unknown): value is DeclineReason {
  return typeof value === "string" && Object.hasOwn(declineReasons, value);
}

export const refundFailures = {
  card_gone: "The card was cancelled, expired or lost. Return the money another way.",
  insufficient_balance: "There is not enough money in the account at the gateway. Add to it and try again.",
  already_refunded: "The gateway has already returned this money.",
  payment_disputed: "The payer's bank has taken this money back because of a dispute. A refund would return it twice.",
  disputed_meanwhile:
    "The payer disputed the payment before the refund was made, and the bank has taken the money back. A refund would return it twice.",
  declined: "The payer's bank refused the refund. Return the money another way.",
  processing_error: "The gateway could not make the refund. Try again.",
  account_refused: "The gateway refuses the account's key. Reconnect the account under Settings, then try again.",
} as const;

export type RefundFailure = keyof typeof refundFailures;

/** Why payers dispute, with the text for staff. Drivers map the gateway's reasons onto these. */
export const disputeReasons = {
  fraudulent: "The payer says that they did not make this payment.",
  unrecognized: "The payer does not recognise the payment on their statement.",
  not_received: "The payer says that they did not receive what they paid for.",
  not_as_described: "The payer says that what they received is faulty or not as described.",
  duplicate: "The payer says that they were charged twice for the same purchase.",
  credit_not_processed: "The payer says that they were promised money back and did not get it.",
  subscription_canceled: "The payer says that they were charged after they cancelled their subscription.",
  general: "The payer's bank gives no particular reason.",
} as const;

export type DisputeReason = keyof typeof disputeReasons;

/** How likely a charge is fraudulent, as the gateway assesses it. Fraudulent charges are usually disputed. */
export const riskLevels = ["normal", "elevated", "highest"] as const;

export type Risk = (typeof riskLevels)[number];

export function isRisk(value: unknown): value is Risk {
  return riskLevels.some((level) => level === value);
}

/**
 * The states of a dispute. An inquiry is the bank's question before it takes money. A state only moves to one with a
 * higher `order`, so that an outdated lookup changes nothing.
 */
export const disputeStatuses = {
  inquiry_needs_response: { order: 1, final: false, holdsMoney: false },
  inquiry_under_review: { order: 2, final: false, holdsMoney: false },
  inquiry_closed: { order: 3, final: true, holdsMoney: false },
  needs_response: { order: 4, final: false, holdsMoney: true },
  under_review: { order: 5, final: false, holdsMoney: true },
  prevented: { order: 6, final: true, holdsMoney: false },
  won: { order: 6, final: true, holdsMoney: false },
  lost: { order: 6, final: true, holdsMoney: true },
} as const satisfies Record<string, { order: number; final: boolean; holdsMoney: boolean }>;

export type DisputeStatus = keyof typeof disputeStatuses;
