import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { type Frequency, periodStart } from "@/lib/periods/calendar";
import { subscriptionEventsOf } from "@/lib/periods/events";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";

export interface Calendar {
  id: string;
  business_id: number;
  livemode: boolean;
  status: string;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  next_charge_at: Date | null;
  cancel_at_period_end: boolean;
  /** The business's test clock, in ms ahead. */
  ahead: number;
}

type Due = Calendar & { next_charge_at: Date };

export async function findCalendar(subscriptionId: string): Promise<Calendar | null> {
  const [calendar] = await queryRows<Calendar>(
    db,
    Prisma.sql`
    SELECT s.id, s.business_id, s.livemode, s.status, s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at,
           s.cancel_at_period_end, CASE WHEN s.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM subscription s JOIN package p ON p.id = s.package_id JOIN business b ON b.id = s.business_id
     WHERE s.id = ${subscriptionId}`,
  );
  return calendar ?? null;
}

/** Periods per statement. After a long downtime `openPeriods` repeats it. */
const batchSize = 50;

/**
 * Creates a payment link for every period that has started, with the package's current amount. Catches up after any
 * downtime. Safe to run concurrently: the statement advances the subscription only from the position it read.
 */
export async function openPeriods(start: Calendar): Promise<void> {
  for (let calendar: Calendar | null = start; calendar; ) {
    const now = clock.now();
    const { next_charge_at } = calendar;
    if (next_charge_at === null || next_charge_at > now) return;
    const due: Due = { ...calendar, next_charge_at };
    if (due.cancel_at_period_end && due.next_period > 0) return end(due);
    calendar = (await open(due, now)) ? await findCalendar(due.id) : null;
  }
}

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
    WITH moved AS (
      UPDATE subscription SET next_period = next_period + ${started.length}::int, next_charge_at = ${next}::timestamptz,
             current_period_start = ${started.at(-1)}::timestamptz, current_period_end = ${next}::timestamptz
       WHERE id = ${due.id} AND next_period = ${due.next_period} AND next_charge_at = ${due.next_charge_at}
         AND (NOT cancel_at_period_end OR next_period = 0)
      RETURNING id, business_id, livemode, package_id, email, phone_no
    )
    INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
      subscription_id, period_index, period_start, period_end, next_step_at)
    SELECT period.id, moved.business_id, moved.livemode, moved.email, moved.phone_no, p.currency, p.amount_cents, p.name,
           p.description, moved.id, ${due.next_period}::int + period.index, period.start, period.end,
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
