import { batched, byId } from "@/lib/core/batch";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Gateway } from "@/lib/gateways/gateway";
import { type Attempt, insertAttempt } from "@/lib/ledger/attempt";
import { record, recording } from "@/lib/outbox/record";
import { periodStart } from "@/lib/periods/calendar";
import { closeLinks } from "@/lib/periods/closing";
import { subscriptionEventsOf } from "@/lib/periods/events";
import { openBatch } from "@/lib/periods/opening";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { priceAt } from "@/lib/resources/subscriptions/resource";
import { subscriptionHasUnknownCharge } from "@/lib/resources/unknown-charges/resource";
import { type BillingState, findBillingState } from "./billing-state";

export type Due = BillingState & { next_charge_at: Date };

/**
 * Creates a payment link for every period that has started, with its agreed price. Catches up after any
 * downtime. Safe to run concurrently: the statement advances the subscription only from the position it read.
 */
export async function openPeriods(start: BillingState): Promise<void> {
  for (let state: BillingState | null = start; state; ) {
    const now = clock.now();
    const { next_charge_at } = state;
    if (next_charge_at === null || next_charge_at > now) return;
    const due: Due = { ...state, next_charge_at };
    if (due.cancel_at_period_end && due.next_period > 0) return end(due);
    const mayBeMore = await transaction(db, async (tx) => {
      const opened = await openBatch(tx, due, now, true);
      await record(tx, { businessId: due.business_id, livemode: due.livemode }, opened.events);
      return opened.mayBeMore;
    });
    state = mayBeMore ? await findBillingState(due.id) : null;
  }
}

export interface DueCharge {
  due: Due & { card_id: string };
  gateway: Gateway;
}

const dueColumns = Prisma.sql`
  id text, next_period int, period_start timestamptz, card_id text, period_end timestamptz, cents int, currency text,
  link_id text, event_id text, attempt_id text, gateway text, gateway_account_id text`;

/**
 * Creates the link of the only due period and begins its charge, in one statement and commit: most periods are charged this
 * way. Resolves with null, with nothing written, unless all of it is still as it was read: the position, no other period
 * open, the price, the card that was saved last.
 */
export const openCharging = batched(async (charges: DueCharge[]): Promise<(Attempt | null)[]> => {
  const now = clock.now();
  const rows = charges.map(({ due, gateway }) => ({
    ...{ id: due.id, next_period: due.next_period, period_start: due.next_charge_at, card_id: due.card_id },
    ...{ period_end: periodStart(due, due.next_period + 1), cents: due.next_cents, currency: due.package_currency },
    ...{ link_id: newId("pl"), event_id: newId("evt"), attempt_id: newId("pay") },
    ...{ gateway: gateway.name, gateway_account_id: gateway.accountId },
  }));
  const opened = await queryRows<{ link_id: string; started_at: Date }>(
    db,
    Prisma.sql`
    WITH due AS MATERIALIZED (
      SELECT * FROM ${rowsOf(rows.toSorted(byId), dueColumns)} AS due
    ), moved AS (
      UPDATE subscription s SET next_period = s.next_period + 1, next_charge_at = due.period_end,
             current_period_start = due.period_start, current_period_end = due.period_end
        FROM due, package p
       WHERE s.id = due.id AND s.next_period = due.next_period AND s.next_charge_at = due.period_start
         AND s.deleted_at IS NULL AND s.status IN ('created', 'active', 'past_due')
         AND (NOT s.cancel_at_period_end OR s.next_period = 0)
         AND p.id = s.package_id AND ${priceAt(Prisma.sql`s`, Prisma.sql`due.period_start`)} = due.cents AND p.currency = due.currency
         AND NOT EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = s.id AND l.deleted_at IS NULL
                            AND l.status IN ('Active', 'Processing'))
         AND NOT ${subscriptionHasUnknownCharge("s")}
         AND due.card_id = (SELECT t.id FROM tokenization t WHERE t.business_id = s.business_id AND t.livemode = s.livemode
                               AND t.status = 'active' AND t.declined_at IS NULL AND lower(t.email COLLATE "C") = lower(s.email COLLATE "C")
                             ORDER BY t.activated_at DESC LIMIT 1)
      RETURNING s.id AS subscription_id, s.business_id, s.livemode, s.email, s.phone_no, p.name, p.description, due.*
    ), created AS (
      INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
        subscription_id, period_index, period_start, period_end, next_step_at, status)
      SELECT link_id, business_id, livemode, email, phone_no, currency, cents, name, description, subscription_id,
             next_period, period_start, period_end, period_start, 'Processing' FROM moved
      RETURNING ${paymentLinks.columns(now)}
    ), link AS (
      SELECT attempt_id, business_id, livemode, link_id AS id, gateway, gateway_account_id, card_id AS tokenization_id,
             cents AS amount_cents, currency FROM moved
    ), attempt AS (${insertAttempt} RETURNING payment_link_id, started_at),
    ${recording(Prisma.sql`
      SELECT (row_number() OVER ())::int AS index, moved.event_id AS id, moved.business_id, moved.livemode,
             1 AS sequence, 'payment_link.created' AS type, moved.link_id AS resource_id, moved.link_id AS payment_link_id,
             moved.subscription_id, to_jsonb(created) AS data
        FROM created JOIN moved ON moved.link_id = created._id`)}
    SELECT payment_link_id AS link_id, started_at FROM attempt`,
  );
  const startedAt = new Map(opened.map(({ link_id, started_at }) => [link_id, started_at]));
  return rows.map(({ link_id, attempt_id }) => {
    const at = startedAt.get(link_id);
    return at ? { id: attempt_id, linkId: link_id, gatewayKey: attempt_id, startedAt: at } : null;
  });
});

/** Ends a subscription at its period's end: `completed` when active, `cancel` when payments are owed. */
async function end({ id, next_period, ...due }: Due): Promise<void> {
  await transaction(db, async (tx) => {
    const [ended] = await queryRows<{ status: string }>(
      tx,
      Prisma.sql`
    UPDATE subscription SET status = CASE WHEN status = 'active' THEN 'completed' ELSE 'cancel' END, ended_reason = 'period_end',
           next_charge_at = NULL
     WHERE id = ${id} AND next_period = ${next_period} AND cancel_at_period_end AND next_charge_at IS NOT NULL
    RETURNING status`,
    );
    if (!ended) return;
    const type = ended.status === "completed" ? "subscription.completed" : "subscription.canceled";
    const tenant = { businessId: due.business_id, livemode: due.livemode };
    const closed = await closeLinks(tx, id);
    await record(tx, tenant, [...closed, ...(await subscriptionEventsOf(tx, tenant, id, [type]))]);
  });
}
