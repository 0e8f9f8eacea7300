import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Gateway } from "@/lib/gateways/gateway";
import { type Attempt, insertAttempt } from "@/lib/ledger/attempt";
import { createRecordedIf, record } from "@/lib/outbox/record";
import { periodStart } from "@/lib/periods/calendar";
import { subscriptionEventsOf } from "@/lib/periods/events";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { type BillingState, findBillingState } from "./billing-state";

export type Due = BillingState & { next_charge_at: Date };

/** Periods per statement. After a long downtime `openPeriods` repeats it. */
const batchSize = 50;

/**
 * Creates a payment link for every period that has started, with the package's current amount. Catches up after any
 * downtime. Safe to run concurrently: the statement advances the subscription only from the position it read.
 */
export async function openPeriods(start: BillingState): Promise<void> {
  for (let state: BillingState | null = start; state; ) {
    const now = clock.now();
    const { next_charge_at } = state;
    if (next_charge_at === null || next_charge_at > now) return;
    const due: Due = { ...state, next_charge_at };
    if (due.cancel_at_period_end && due.next_period > 0) return end(due);
    state = (await open(due, now)) ? await findBillingState(due.id) : null;
  }
}

/**
 * Creates the link of the only due period and begins its charge, in one statement and commit: most periods are charged this
 * way. Creates nothing unless all of it still is as in `due`: no other period open, the price, the card.
 */
export async function openCharging(due: Due, attemptId: string, gateway: Gateway): Promise<Attempt | null> {
  const now = clock.now();
  const next = periodStart(due, due.next_period + 1);
  const linkId = newId("pl");
  const created = await createRecordedIf<PaymentLink>(
    db,
    { businessId: due.business_id, livemode: due.livemode },
    {
      type: "payment_link.created",
      before: Prisma.sql`
    moved AS (${moveTo(due, 1, due.next_charge_at, next)}
         AND deleted_at IS NULL AND status IN ('created', 'active', 'past_due')
         AND NOT EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = subscription.id AND l.deleted_at IS NULL
                            AND l.status IN ('Active', 'Processing'))
         AND EXISTS (SELECT FROM tokenization t WHERE t.id = ${due.card_id} AND t.business_id = subscription.business_id
                        AND t.livemode = subscription.livemode AND t.status = 'active'
                        AND lower(t.email COLLATE "C") = lower(subscription.email COLLATE "C"))
         AND EXISTS (SELECT FROM package p WHERE p.id = subscription.package_id AND p.amount_cents = ${due.package_cents}::int
                        AND p.currency = ${due.package_currency})
      ${movedColumns}
    ), link AS (
      SELECT ${linkId} AS id, business_id, livemode, ${due.package_cents}::int AS amount_cents, ${due.package_currency} AS currency FROM moved
    ), attempt AS (${insertAttempt(attemptId, gateway, due.card_id)}),`,
      insert: Prisma.sql`
      INSERT INTO payment_link (${periodColumns}, id, status, period_index, period_start, period_end, next_step_at)
      SELECT ${periodValues}, ${linkId}, 'Processing', ${due.next_period}::int, ${due.next_charge_at}::timestamptz,
             ${next}::timestamptz, ${due.next_charge_at}::timestamptz
        FROM moved JOIN package p ON p.id = moved.package_id
      RETURNING ${paymentLinks.columns(now)}`,
    },
  );
  return created && { id: attemptId, linkId, gatewayKey: attemptId, startedAt: new Date(created.created_at) };
}

/** The parts that all statements share which create periods. `moveTo` advances only from the position that was read. */
const moveTo = (due: Due, periods: number, last: Date | undefined, next: Date | undefined) => Prisma.sql`
      UPDATE subscription SET next_period = next_period + ${periods}::int, next_charge_at = ${next}::timestamptz,
             current_period_start = ${last}::timestamptz, current_period_end = ${next}::timestamptz
       WHERE id = ${due.id} AND next_period = ${due.next_period} AND next_charge_at = ${due.next_charge_at}
         AND (NOT cancel_at_period_end OR next_period = 0)`;
const movedColumns = Prisma.sql`RETURNING id, business_id, livemode, package_id, email, phone_no`;
const periodColumns = Prisma.sql`business_id, livemode, subscription_id, email, phone_no, currency, amount_cents, title, description`;
const periodValues = Prisma.sql`
             moved.business_id, moved.livemode, moved.id, moved.email, moved.phone_no, p.currency, p.amount_cents, p.name, p.description`;

/** @returns whether more periods may be due */
async function open(due: Due, now: Date): Promise<boolean> {
  const starts = [due.next_charge_at];
  while (starts.length <= batchSize) {
    const start = periodStart(due, due.next_period + starts.length);
    starts.push(start);
    if (start > now) break;
  }
  const next = starts.at(-1);
  const started = starts.slice(0, -1);
  const periods = started.map((start, index) => ({ id: newId("pl"), index, start, end: starts[index + 1] }));
  await transaction(db, async (tx) => {
    // A separate statement takes the lock, so that the next one's snapshot is newer than the lock. Otherwise a
    // concurrent payment of the last open period could go unseen, and no new period would become due.
    await queryRows(tx, Prisma.sql`SELECT id FROM subscription WHERE id = ${due.id} FOR NO KEY UPDATE`);
    const opened = await queryRows<PaymentLink>(
      tx,
      Prisma.sql`
    WITH moved AS (${moveTo(due, started.length, started.at(-1), next)} ${movedColumns})
    INSERT INTO payment_link (${periodColumns}, id, period_index, period_start, period_end, next_step_at)
    SELECT ${periodValues}, period.id, ${due.next_period}::int + period.index, period.start, period.end,
           -- A period waits while an older one is open.
           CASE WHEN period.index = 0 AND NOT EXISTS (
             SELECT FROM payment_link l WHERE l.subscription_id = moved.id AND l.deleted_at IS NULL
                AND l.status IN ('Active', 'Processing')) THEN period.start END
      FROM moved JOIN package p ON p.id = moved.package_id,
           -- One JSON parameter, because array parameters prevent a generic plan.
           json_to_recordset(${JSON.stringify(periods)}::json) AS period (id text, index int, start timestamptz, "end" timestamptz)
    RETURNING ${paymentLinks.columns(now)}`,
    );
    await record(
      tx,
      { businessId: due.business_id, livemode: due.livemode },
      opened.map((link) => ({ type: "payment_link.created", data: link })),
    );
  });
  return next !== undefined && next <= now;
}

/** Ends a subscription at its period's end: `completed` when active, `cancel` when payments are owed. */
async function end({ id, next_period, ...due }: Due): Promise<void> {
  await transaction(db, async (tx) => {
    const [ended] = await queryRows<{ status: string }>(
      tx,
      Prisma.sql`
    WITH ended AS (
      UPDATE subscription SET status = CASE WHEN status = 'active' THEN 'completed' ELSE 'cancel' END, next_charge_at = NULL
       WHERE id = ${id} AND next_period = ${next_period} AND cancel_at_period_end AND next_charge_at IS NOT NULL
      RETURNING id, status
    ), stopped AS (
      UPDATE payment_link SET next_step_at = NULL FROM ended
       WHERE subscription_id = ended.id AND next_step_at IS NOT NULL
    )
    SELECT status FROM ended`,
    );
    if (!ended) return;
    const type = ended.status === "completed" ? "subscription.completed" : "subscription.canceled";
    const tenant = { businessId: due.business_id, livemode: due.livemode };
    await record(tx, tenant, await subscriptionEventsOf(tx, tenant, id, [type]));
  });
}
