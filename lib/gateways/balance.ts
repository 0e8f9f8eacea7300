// The account's balance at the gateway: its entries and payouts.

export interface Money {
  /** Hundredths of one unit of `currency`, in every currency. */
  amountCents: number;
  currency: string;
}

export type EntriesOf = { from: Date; before: Date | null } | { payoutRef: string };

export type GatewayPage<Row> = { rows: Row[]; next: string | null };

export const entryTypes = [
  "charge",
  "refund",
  "refund_failure",
  "dispute",
  "dispute_reversal",
  "fee",
  "payout",
  "payout_failure",
  "adjustment",
] as const;

/** A change of the balance. The amount is before the fee, and negative where money leaves the balance. */
export interface KnownEntry extends Money {
  ref: string;
  type: (typeof entryTypes)[number];
  feeCents: number;
  /** The gateway's reference of the refund, dispute or payout. */
  sourceRef: string | null;
  /** The gateway's reference of the charge that it is about. */
  chargeRef: string | null;
  /** Our key of the charge; null when it was made outside Paydesk. */
  gatewayKey: string | null;
  createdAt: Date;
}

export const payoutStatuses = ["pending", "in_transit", "paid", "failed", "canceled"] as const;

export interface KnownPayout extends Money {
  ref: string;
  status: (typeof payoutStatuses)[number];
  /** YYYY-MM-DD */
  arrivalDate: string;
  /** The reference by which the bank finds the transfer; null until it is known. */
  bankReference: string | null;
  /**
   * Whether the gateway says which entries it has paid out. `none` for a payout made by hand. While `in_progress`, it may list only
   * some of them.
   */
  entries: "none" | "in_progress" | "ready";
  createdAt: Date;
}
