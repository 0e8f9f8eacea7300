/**
 * What Paydesk asks of a company that moves money, on behalf of one business's account there. A driver translates; the
 * ledger (lib/ledger) decides. A driver answers only with what it knows: when it cannot tell whether money moved it
 * throws, and the ledger treats the outcome as unknown, never as failed. What every driver must do is written down, and
 * checked, in tests/support/gateway-conformance.ts.
 */
export interface Gateway {
  /** Stands in `payment.gateway`; never changes once rows carry it. */
  readonly name: GatewayName;
  /** The row of `gateway_account` whose keys are used; null at the sandbox, which needs none. */
  readonly accountId: string | null;

  /** Where the payer types the card: null at the gateway's own page, else in our form, checked by this. */
  readonly cardForm: CardForm | null;

  /** Whether this amount (hundredths of one unit) can be taken in this currency at all. */
  takes(amountCents: number, currency: string): boolean;

  /**
   * Takes the money from a payer who is present, once per `gatewayKey`: a repeated call with the same key answers with the
   * first call's outcome and never charges again.
   */
  pay(request: PayRequest): Promise<ChargeResult>;

  /**
   * Takes the money from a saved card whose payer is away (off-session), once per `gatewayKey`. It never asks for the
   * payer: where the bank wants one, it declines with `authentication_required`.
   */
  chargeSaved(request: ChargeSavedRequest): Promise<ChargeResult>;

  /** What became of an attempt; `absent` when the gateway has never heard of its key. */
  lookup(attempt: SentAttempt): Promise<LookupResult>;

  /**
   * Makes sure that an attempt which has not taken money never will, whatever is still on its way, and says what is final:
   * `declined`, or `succeeded` when the money had moved before. `pending` when the gateway itself cannot stop it any more
   * and does not know yet.
   */
  cancel(attempt: SentAttempt): Promise<FinalResult | PendingResult>;

  /** Puts a card on file without charging it. At the gateway's own page it answers `action`, and `lookupSave` tells the rest. */
  saveCard(request: SaveCardRequest): Promise<SaveCardResult>;

  /** What became of the saving of a card for which `saveCard` answered `action`. */
  lookupSave(ref: string): Promise<SaveCardResult>;

  /** Sends money back, once per `gatewayKey`, also when the call is repeated days later. */
  refund(request: RefundRequest): Promise<RefundResult>;

  /** Every refund of a charge that the gateway knows of, also those that were not made by Paydesk. */
  refundsOf(chargeRef: string): Promise<KnownRefund[]>;

  /**
   * Whether a callback is the gateway's own, and what it is about. What it says of states is not used: the ledger asks the
   * gateway, so that a late, repeated or reordered callback can only cause a question.
   * @returns null when it is about nothing of ours
   * @throws ForgedCallback
   */
  readCallback(body: string, headers: Headers): Promise<CallbackNotice | null>;
}

export type GatewayName = "sandbox" | "stripe";

/** A callback that the gateway did not sign, or signed too long ago. */
export class ForgedCallback extends Error {}

interface CardForm {
  /** What is wrong with a card before anybody is asked for money; null when it may be tried. Moves nothing. */
  refuse(card: CardInput): CardRefusal | null;
}

/** A card as the payer typed it: digits only. Lives in memory for one request; never stored, never logged. */
export type CardInput = { number: string; cvc: string; expMonth: number; expYear: number };

/** What may be shown and kept of a card. */
export type CardFace = { brand: string; last4: string };

/** The face of a card on file. */
export type SavedFace = CardFace & { expMonth: number; expYear: number };

export type CardRefusal = { field: "number" | "expiry" | "cvc"; message: string };

interface Money {
  /** Hundredths of one unit of `currency`, in every currency. */
  amountCents: number;
  currency: string;
}

export interface PayRequest extends Money {
  gatewayKey: string;
  /** When the attempt was committed. Part of the request, so that a repetition is the same to the byte. */
  startedAt: Date;
  /** From our form; null where the gateway has its own page. */
  card: CardInput | null;
  /** The business's name, for the payer's bank. */
  merchant: string;
  /** What is paid for, as the payer reads it. */
  title: string;
  email: string;
  /** Path of this site to which the payer comes back from the bank or the gateway's page. */
  returnPath: `/${string}`;
}

export interface ChargeSavedRequest extends Money {
  gatewayKey: string;
  startedAt: Date;
  /** `ref` of the card, as `saveCard` gave it. */
  cardRef: string;
  merchant: string;
  title: string;
  /** The business's time, in test mode perhaps ahead of everybody's: the sandbox judges by it whether a card has expired. */
  now: Date;
}

/** An attempt as the ledger knows it when it asks about it. */
export interface SentAttempt extends Money {
  gatewayKey: string;
  /** The gateway's own name of it, if it told us one. */
  ref: string | null;
  startedAt: Date;
  /** Set when a saved card was charged. */
  cardRef: string | null;
}

export interface SaveCardRequest {
  gatewayKey: string;
  /** From our form; null where the gateway has its own page. */
  card: CardInput | null;
  email: string;
  merchant: string;
  returnPath: `/${string}`;
}

export interface RefundRequest extends Money {
  gatewayKey: string;
  chargeRef: string;
}

/** What the gateway keeps for its work; in its own currency, which may be another than the charge's. */
export type Fee = { cents: number; currency: string };

export type FinalResult =
  | { outcome: "succeeded"; ref: string; card: CardFace | null; fee: Fee | null }
  | { outcome: "declined"; reason: DeclineReason; ref: string | null; card: CardFace | null };

/** The gateway has it and has not decided yet. */
export type PendingResult = { outcome: "pending"; ref: string; card: CardFace | null };

/**
 * The payer goes on to `url`: the bank's page (3-D Secure) or the gateway's own. A path of this site or an https address; a
 * form may not be redirected to another origin (docs/decisions/0002), so a page of ours leads there.
 */
export type ActionResult = {
  outcome: "action";
  at: "bank" | "gateway";
  ref: string;
  url: string;
  card: CardFace | null;
};

export type ChargeResult = FinalResult | PendingResult | ActionResult;

export type LookupResult = ChargeResult | { outcome: "absent" };

export type SaveCardResult =
  | { outcome: "saved"; ref: string; card: SavedFace }
  | { outcome: "declined"; reason: DeclineReason }
  | { outcome: "action"; ref: string; url: string };

export type RefundResult =
  | { status: "pending" | "succeeded"; ref: string; failure: null }
  | { status: "failed"; ref: string | null; failure: RefundFailure };

export interface KnownRefund {
  ref: string;
  /** Our key; null when the refund was made elsewhere, for example in the gateway's own dashboard. */
  gatewayKey: string | null;
  amountCents: number;
  status: "pending" | "succeeded" | "failed";
  failure: RefundFailure | null;
}

/** `key`: of the payment, or of the tokenization whose card was saved. A refund's callback is about its payment. */
export type CallbackNotice = { about: "payment" | "card"; key: string };

/**
 * Every reason for which a charge can fail, with the words the payer reads. Drivers map their own codes onto these. After a
 * `hard` one the same card is not worth another try; nobody is told that a card was reported stolen.
 */
export const declineReasons = {
  card_declined: { hard: false, text: "Your bank declined the card. Try another card, or ask your bank." },
  insufficient_funds: { hard: false, text: "There is not enough money on the card. Try another card." },
  limit_exceeded: {
    hard: false,
    text: "The payment is above the card's limit. Try another card, or ask your bank.",
  },
  processing_error: { hard: false, text: "The payment could not be processed. Try again in a moment." },
  authentication_required: { hard: false, text: "Your bank wants you to confirm payments with this card yourself." },
  authentication_failed: {
    hard: false,
    text: "The payment was not confirmed with your bank. Try again, or use another card.",
  },
  abandoned: { hard: false, text: "The payment was not finished." },
  expired_card: { hard: true, text: "The card has expired. Try another card." },
  incorrect_number: { hard: true, text: "The card number is not correct. Check it, or try another card." },
  incorrect_cvc: { hard: true, text: "The security code is not correct. Check it and try again." },
  card_not_supported: { hard: true, text: "The card does not support this kind of payment. Try another card." },
  card_blocked: { hard: true, text: "Your bank declined the card. Try another card, or ask your bank." },
} as const satisfies Record<string, { hard: boolean; text: string }>;

export type DeclineReason = keyof typeof declineReasons;

export function isDeclineReason(value: unknown): value is DeclineReason {
  return typeof value === "string" && Object.hasOwn(declineReasons, value);
}

/** Every reason for which a refund can fail, with the words the merchant's staff read. */
export const refundFailures = {
  card_gone: "The card was cancelled, expired or lost. Return the money another way.",
  insufficient_balance: "There is not enough money in the account at the gateway. Add to it and try again.",
  already_refunded: "The gateway has already returned this money.",
  declined: "The payer's bank refused the refund. Return the money another way.",
  processing_error: "The gateway could not make the refund. Try again.",
} as const;

export type RefundFailure = keyof typeof refundFailures;
