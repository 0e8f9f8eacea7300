/**
 * What Paydesk asks of a company that moves money. A driver translates; the ledger (lib/payments) decides. A driver
 * answers only with what it knows: when it cannot tell whether money moved it throws, and the ledger treats the
 * outcome as unknown, never as failed.
 */
export interface Gateway {
  /** Stands in `payment.gateway` and `tokenization.gateway`; never changes once rows carry it. */
  readonly name: string;

  /** What is wrong with a card before anybody is asked for money; null when it may be tried. Moves nothing. */
  refuse(card: CardInput): CardRefusal | null;

  /** Takes the money once per `gatewayKey`: a repeated call with the same key answers with the first call's outcome. */
  charge(request: ChargeRequest): Promise<ChargeResult>;

  /** What became of a key, also after a challenge; `absent` when the gateway has never heard of it. */
  lookup(gatewayKey: string): Promise<LookupResult>;

  /**
   * Makes sure that a key which has not taken money never will, and says what is final: `declined`, or `succeeded`
   * when the money had moved before.
   */
  cancel(gatewayKey: string): Promise<FinalResult>;

  /** Puts a card on file without charging it; idempotent by `gatewayKey` as a charge is. */
  saveCard(request: SaveCardRequest): Promise<SaveCardResult>;
}

/** A card as the payer typed it: digits only. Lives in memory for one request; never stored, never logged. */
export type CardInput = { number: string; cvc: string; expMonth: number; expYear: number };

/** What may be shown and kept of a card. */
export type CardFace = { brand: string; last4: string };

type CardRefusal = { field: "number" | "expiry" | "cvc"; message: string };

type ChargeRequest = {
  gatewayKey: string;
  /** Hundredths of one unit of `currency`. */
  amountCents: number;
  currency: string;
  card: CardInput;
  /** The business's name, for the payer's bank. */
  merchant: string;
  /** Path of this site to which a challenge sends the payer back. */
  returnPath: `/${string}`;
};

type SaveCardRequest = { gatewayKey: string; card: CardInput };

export type FinalResult =
  | { outcome: "succeeded"; ref: string; card: CardFace }
  | { outcome: "declined"; reason: DeclineReason; ref: string | null; card: CardFace | null };

/**
 * A challenge is a page at which the payer confirms the charge with the bank (3-D Secure). Its path is one of this site: a
 * driver whose page lies elsewhere leads there from a page of ours, since a form may not be redirected to another origin.
 */
export type ChargeResult = FinalResult | { outcome: "challenge"; ref: string; url: `/${string}`; card: CardFace };

export type LookupResult = ChargeResult | { outcome: "absent" };

type SaveCardResult =
  | { outcome: "saved"; ref: string; card: CardFace & { expMonth: number; expYear: number } }
  | { outcome: "declined"; reason: DeclineReason };

/** Every reason for which a charge can fail, with the words the payer reads. Drivers map their own codes onto these. */
export const declineReasons = {
  card_declined: "Your bank declined the card. Try another card, or ask your bank.",
  insufficient_funds: "There is not enough money on the card. Try another card.",
  expired_card: "The card has expired. Try another card.",
  incorrect_number: "The card number is not correct. Check it, or try another card.",
  incorrect_cvc: "The security code is not correct. Check it and try again.",
  card_not_supported: "The card does not support this kind of payment. Try another card.",
  limit_exceeded: "The payment is above the card's limit. Try another card, or ask your bank.",
  authentication_required: "Your bank wants you to confirm payments with this card yourself.",
  authentication_failed: "The payment was not confirmed with your bank. Try again, or use another card.",
  processing_error: "The payment could not be processed. Try again in a moment.",
} as const;

export type DeclineReason = keyof typeof declineReasons;

export function isDeclineReason(value: unknown): value is DeclineReason {
  return typeof value === "string" && Object.hasOwn(declineReasons, value);
}
