import type { Incoming } from "@/lib/core/incoming";
import type { EntriesOf, GatewayPage, KnownEntry, KnownPayout, Money } from "./balance";
import type { DeclineReason, DisputeReason, DisputeStatus, RefundFailure, Risk } from "./reasons";

/**
 * One business's account at a gateway. A driver translates calls; the ledger (lib/ledger) decides. A driver throws when
 * it cannot tell whether money moved, and the ledger treats the outcome as unknown, never as failed: a `NoAnswer` when
 * the gateway gives no usable answer. For a refused key it throws a `KeyRefused`, which says whether the call has certainly executed nothing. The conformance tests in
 * tests/support/gateway-conformance.ts specify what every driver must do.
 */
export interface Gateway {
  /** Stored in `payment.gateway`, so it must never change. */
  readonly name: GatewayName;
  /** Id of the `gateway_account` row; null for the sandbox, which needs no keys. */
  readonly accountId: string | null;

  /** Up to when the account was compared, and with which database; null for the sandbox, which is not compared. */
  readonly mark: AccountMark | null;

  /** Checks the card typed into our form; null when the payer types the card at the gateway's page. */
  readonly cardForm: CardForm | null;

  /** Whether the gateway accepts this amount (hundredths of one unit) in this currency. */
  supportsAmount(amountCents: number, currency: string): boolean;

  /** Charges a payer who is present. Idempotent per `gatewayKey`: a repeated call returns the first call's outcome. */
  pay(request: PayRequest): Promise<ChargeResult>;

  /**
   * Charges a saved card off-session. Idempotent per `gatewayKey`. Declines with `authentication_required` when the
   * bank wants the payer's confirmation.
   */
  chargeSaved(request: ChargeSavedRequest): Promise<ChargeResult>;

  /** The attempt's current state; `absent` when the gateway does not know its key. */
  lookup(attempt: SentAttempt): Promise<LookupResult>;

  /**
   * Ensures that an attempt that has not taken money never will, including requests still in flight. Returns
   * `declined`, or `succeeded` if money has moved, or `pending` if the gateway can no longer stop it and has not
   * decided.
   */
  cancel(attempt: SentAttempt): Promise<FinalResult | PendingResult>;

  /**
   * Saves a card without charging it. Returns `action` when the payer continues at the gateway's page; see
   * `lookupSave`.
   */
  saveCard(request: SaveCardRequest): Promise<SaveCardResult>;

  /** The current state of a card save for which `saveCard` returned `action`. */
  lookupSave(ref: string): Promise<SaveCardResult>;

  /** Makes a saved card unusable at the gateway. Idempotent: done if the gateway no longer has the card. */
  detachCard(ref: string): Promise<void>;

  /** Refunds a charge. Idempotent per `gatewayKey`, also days later. */
  refund(request: RefundRequest): Promise<RefundResult>;

  refundsOf(chargeRef: string): Promise<KnownRefund[]>;

  disputesOf(chargeRef: string): Promise<KnownDispute[]>;

  /** Every dispute of the account opened at or after `since`, of our payments only: finds those without a callback. */
  disputedSince(since: Date): Promise<DisputedPayment[]>;

  /** What the account's balance holds in each currency, available or not. A currency without money may be missing. */
  balance(): Promise<Money[]>;

  /**
   * A page of the changes of the balance: those booked in a span of time, or those that a payout paid out.
   * @param cursor `next` of the page before; null for the first
   */
  balanceEntries(of: EntriesOf, cursor: string | null): Promise<GatewayPage<KnownEntry>>;

  /**
   * A page of the payouts made since a time, newest first.
   * @param now the time of the business's clock. The sandbox pays out by it.
   */
  payouts(of: { since: Date; now: Date }, cursor: string | null): Promise<GatewayPage<KnownPayout>>;

  /**
   * Every charge by Paydesk since `from` that has taken money or may still take it, including charges of a lost or another
   * database. A page that is open when this starts, and paid meanwhile, is listed as open, as succeeded, or as both.
   */
  chargesSince(from: Date): AsyncIterable<KnownCharge>;

  /** Every refund since `from` of a charge by Paydesk. */
  refundsSince(from: Date): AsyncIterable<{ ref: string; chargeKey: string }>;

  /**
   * Verifies a callback and returns what it is about. The state in it is ignored: the ledger looks it up, so that late,
   * repeated or reordered callbacks do no harm.
   * @returns null when it concerns nothing of ours
   * @throws ForgedCallback
   */
  readCallback(body: string, headers: Incoming["headers"]): Promise<CallbackNotice | null>;
}

/** By it, lib/ledger/compare.ts sees that the database was restored, failed over or was replaced. */
export interface AccountMark {
  /** Up to when the gateway's charges were compared with the ledger. */
  comparedUntil: Date;
  /** Identifies the running database: its server's start, its own id and that of the account's table. */
  database: string;
}

export type GatewayName = "sandbox" | "stripe";

/** `payment.gateway` of manual payments (lib/ledger/manual.ts). It has no driver: nothing can be looked up or charged. */
export const manualGateway = "manual";

/** A method that sends requests whose refusal says something about the key. */
export type GatewayCall = Exclude<
  {
    [Name in keyof Gateway]: Gateway[Name] extends (...input: never[]) => Promise<unknown> ? Name : never;
  }[keyof Gateway],
  "readCallback" | "balance" | "balanceEntries" | "payouts"
>;

/** The methods whose requests are sent while their list is read, in the order in which a comparison reads them. */
export const gatewayLists = ["chargesSince", "refundsSince"] as const;
export type GatewayList = (typeof gatewayLists)[number];

/** The gateway gave no usable answer: it is away, busy or has failed. What it did is unknown, unless the caller knows better. */
export class NoAnswer extends Error {}

/** Whether a call failed because of the gateway or the account's key, so that the same call can succeed later. */
export const isGatewayAway = (error: unknown): error is NoAnswer | KeyRefused =>
  error instanceof NoAnswer || error instanceof KeyRefused;

/** The gateway refused the account's key: expired, revoked, or without the permission for this call. */
export class KeyRefused extends Error {
  /**
   * @param code the gateway's, if it gave one
   * @param wholeKey true: the gateway refuses the key for every call; false: the key lacks the permission for this call
   * @param executedNothing whether this call has certainly moved no money and saved no card; a lookup cannot tell
   */
  constructor(
    readonly code: string | null,
    readonly wholeKey: boolean,
    readonly executedNothing: boolean,
  ) {
    super(`The gateway refused the account's key (${code ?? (wholeKey ? "not valid" : "no permission")}).`);
  }
}

/** A callback that the gateway did not sign, or signed too long ago. */
export class ForgedCallback extends Error {}

interface CardForm {
  /** Checks a card before any charge; null when it is acceptable. */
  refuse(card: CardInput): CardRefusal | null;
}

/** A card as the payer typed it, digits only. In memory for one request; never stored, never logged. */
export type CardInput = { number: string; cvc: string; expMonth: number; expYear: number };

/** The displayable details of a charged card. The expiry is null if the gateway does not say it. */
export type CardFace = { brand: string; last4: string; expMonth: number | null; expYear: number | null };

export type SavedFace = CardFace & { expMonth: number; expYear: number };

/** `ref` charges the card off-session. */
export type SavedCard = { ref: string; card: SavedFace };

/** `number`: test mode takes only test cards. `cvc`: the security code of this card's brand has `digits` digits. */
export type CardRefusal = { field: "number" } | { field: "cvc"; digits: number };

/** What an attempt pays for. The gateway stores it, so that its records name ours. */
export interface About {
  linkId: string;
  /** Set for a subscription's period. */
  subscriptionId: string | null;
  periodIndex: number | null;
  /** The merchant's own reference of the link. */
  reference: string | null;
}

export interface PayRequest extends Money {
  gatewayKey: string;
  /** When the attempt was committed. Part of the request, so that a repetition is byte-identical. */
  startedAt: Date;
  /** From our form; null where the gateway has its own page. */
  card: CardInput | null;
  /** Whether the payer agreed that the card is saved and charged off-session later. By default not. */
  saveCard?: boolean;
  merchant: string;
  title: string;
  about: About;
  email: string;
  /** Path on this site to which the payer returns from the bank or the gateway's page. */
  returnPath: `/${string}`;
}

export interface ChargeSavedRequest extends Money {
  gatewayKey: string;
  startedAt: Date;
  /** `ref` from `saveCard`. */
  cardRef: string;
  merchant: string;
  title: string;
  about: About;
  /** Time of the business's clock. The sandbox decides by it whether a card has expired. */
  now: Date;
}

/** An attempt as the ledger stores it, for lookups. */
export interface SentAttempt extends Money {
  gatewayKey: string;
  ref: string | null;
  startedAt: Date;
  /** Set when a saved card was charged. */
  cardRef: string | null;
}

export interface SaveCardRequest {
  gatewayKey: string;
  /** By the system's clock: the gateway's page closes some time after it. */
  startedAt: Date;
  card: CardInput | null;
  email: string;
  merchant: string;
  returnPath: `/${string}`;
}

export interface RefundRequest extends Money {
  gatewayKey: string;
  /** When the refund was committed. */
  startedAt: Date;
  chargeRef: string;
}

/**
 * What the gateway added to the account's balance for a charge, or took for a refund, before its fee. Its currency is the
 * balance's: where it differs from the charge's, the gateway exchanged the money.
 */
export type Booked = { grossCents: number; feeCents: number; currency: string };

export type FinalResult =
  | {
      outcome: "succeeded";
      ref: string;
      card: CardFace | null;
      booked: Booked | null;
      /** Of a payment with `saveCard`; else null. */
      saved: SavedCard | null;
      /** Null when the gateway did not assess the charge. */
      risk: Risk | null;
    }
  | {
      outcome: "declined";
      reason: DeclineReason;
      /** The gateway's code for the reason; null when it gave none. */
      code: string | null;
      ref: string | null;
      card: CardFace | null;
      risk: Risk | null;
    };

export type PendingResult = { outcome: "pending"; ref: string; card: CardFace | null };

/**
 * The payer continues at `url`: the bank's page (3-D Secure) or the gateway's page. A path on this site or an https
 * URL. A form must not redirect to another origin (docs/decisions/0002), so one of our pages links there.
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
  | ({ outcome: "saved" } & SavedCard)
  | { outcome: "declined"; reason: DeclineReason }
  | { outcome: "action"; ref: string; url: string };

export type RefundResult =
  | { status: "pending" | "succeeded"; ref: string; failure: null; booked: Booked | null }
  | { status: "failed"; ref: string | null; failure: RefundFailure; booked: Booked | null };

export interface KnownRefund {
  ref: string;
  /** Our key; null when the refund was made outside Paydesk, for example in the gateway's dashboard. */
  gatewayKey: string | null;
  amountCents: number;
  status: "pending" | "succeeded" | "failed";
  failure: RefundFailure | null;
  /** What the refund took from the balance; for a failed refund, what the balance got back. Null until the gateway has booked it. */
  booked: Booked | null;
}

/** A charge as the gateway lists it. The ids are from our metadata; null where the charge has none. */
export interface KnownCharge extends Money {
  gatewayKey: string;
  ref: string;
  /** The `gateway_account` row through which it was made. */
  accountId: string | null;
  linkId: string | null;
  subscriptionId: string | null;
  periodIndex: number | null;
  /** `open`: it may still take the money. */
  status: "succeeded" | "open";
  createdAt: Date;
}

export interface KnownDispute extends Money {
  ref: string;
  reason: DisputeReason;
  status: DisputeStatus;
  /** Until when the merchant can answer; null when no answer is possible. */
  respondBy: Date | null;
  openedAt: Date;
  /** Movements are only added: a later lookup has all movements of an earlier one. */
  movements: DisputeMovement[];
}

/** Money that left the balance or returned to it because of a dispute, in the currency in which the gateway booked it. */
export interface DisputeMovement extends Money {
  ref: string;
  kind: "withdrawn" | "returned";
  /** Paid to the gateway on top of the amount; negative when the gateway gave its fee back. */
  feeCents: number;
}

/** `key` is the payment's `gatewayKey`, `ref` the dispute's. */
export type DisputedPayment = { key: string; ref: string };

/**
 * `key` is the payment's or the card save's `gatewayKey`. A refund's callback is about its payment, a dispute's about
 * the disputes of its payment.
 */
export type CallbackNotice = { about: "payment" | "dispute" | "card"; key: string };
