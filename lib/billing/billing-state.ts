import { batched } from "@/lib/core/batch";
import { db, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import type { Frequency } from "@/lib/periods/calendar";
import type { DunningPolicy } from "@/lib/periods/dunning";
import { priceAt } from "@/lib/resources/subscriptions/resource";
import { hasUnknownCharge, subscriptionHasUnknownCharge } from "@/lib/resources/unknown-charges/resource";

/** All that decides what a subscription's billing does next: its calendar, price, saved card and oldest open period. */
export interface BillingState {
  id: string;
  business_id: number;
  livemode: boolean;
  status: string;
  /** Not paused, ended or deleted. */
  running: boolean;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  next_charge_at: Date | null;
  cancel_at_period_end: boolean;
  /** The business's test clock, in ms ahead. */
  ahead: number;
  /** The package today, and the agreed price of the next period. An open period keeps what it was created with. */
  package_title: string;
  next_cents: number;
  package_currency: string;
  dunning_days: number[];
  dunning_end: DunningPolicy["end"];
  merchant: string;
  /** The usable card that the subscriber saved last; null without one. A card that the bank declined for good is not usable. */
  card_id: string | null;
  gateway: string;
  gateway_account_id: string | null;
  gateway_card: string;
  /** The oldest open period; null without one. Only the oldest is charged, so that a card is not charged for several at once. */
  link_id: string | null;
  link_status: string;
  amount_cents: number;
  currency: string;
  title: string;
  reference: string | null;
  period_index: number;
  failure: string | null;
  failed_at: Date | null;
  /** Whether staff wait for a bank transfer: nothing is charged meanwhile. */
  awaiting_transfer: boolean;
  /** Null for a period that had to wait for an older one. */
  next_step_at: Date | null;
  period_start: Date;
  period_end: Date;
  other_open: boolean;
  /** Whether the gateway has charges of the subscription that the ledger did not know, and one of them is for this period. */
  unknown_charges: boolean;
  unknown_charge: boolean;
}

/** Resolves with null when there is no such subscription. */
export const findBillingState = batched(async (subscriptionIds: string[]): Promise<(BillingState | null)[]> => {
  const wanted = subscriptionIds.map((id) => ({ id }));
  const states = await queryRows<BillingState>(
    db,
    Prisma.sql`
    SELECT s.id, s.business_id, s.livemode, s.status,
           s.deleted_at IS NULL AND s.status IN ('created', 'active', 'past_due', 'unpaid') AS running,
           s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at, s.cancel_at_period_end,
           CASE WHEN s.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead, p.name AS package_title,
           ${priceAt(Prisma.sql`s`, Prisma.sql`s.next_charge_at`)} AS next_cents, p.currency AS package_currency, b.dunning_days, b.dunning_end, b.name AS merchant,
           t.id AS card_id, t.gateway, t.gateway_account_id, t.gateway_card,
           l.id AS link_id, l.status AS link_status, l.amount_cents, l.currency, l.title, l.reference, l.period_index, l.failure, l.failed_at,
           l.awaiting_transfer_since IS NOT NULL AS awaiting_transfer, l.next_step_at, l.period_start, l.period_end,
           l.id IS NOT NULL AND EXISTS (SELECT FROM payment_link o WHERE o.subscription_id = s.id AND o.id <> l.id
              AND o.deleted_at IS NULL AND o.status IN ('Active', 'Processing')) AS other_open,
           ${subscriptionHasUnknownCharge("s")} AS unknown_charges,
           ${hasUnknownCharge("l")} AS unknown_charge
      FROM ${rowsOf(wanted, Prisma.sql`id text`)} AS wanted
      JOIN subscription s ON s.id = wanted.id
      JOIN package p ON p.id = s.package_id
      JOIN business b ON b.id = s.business_id
      LEFT JOIN LATERAL (
        SELECT * FROM payment_link WHERE subscription_id = s.id AND status IN ('Active', 'Processing') AND deleted_at IS NULL
         ORDER BY period_index LIMIT 1) l ON true
      LEFT JOIN LATERAL (
        SELECT * FROM tokenization WHERE business_id = s.business_id AND livemode = s.livemode AND status = 'active'
           AND declined_at IS NULL AND lower(email COLLATE "C") = lower(s.email COLLATE "C")
         ORDER BY activated_at DESC LIMIT 1) t ON true`,
  );
  const found = new Map(states.map((state) => [state.id, state]));
  return subscriptionIds.map((id) => found.get(id) ?? null);
});
