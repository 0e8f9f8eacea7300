import { clock } from "../clock";
import { db, Prisma, queryRows, sqlTransaction } from "../db";
import { record } from "../events/record";
import { newId } from "../id";
import { columns, present, type Row } from "../payment-links/read";
import { type Frequency, periodStart } from "./calendar";
import { toldOf } from "./tell";

interface Due {
  id: string;
  business_id: number;
  livemode: boolean;
  status: string;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  next_charge_at: Date;
  cancel_at_period_end: boolean;
}

/** Periods that one statement opens: the rest of a long downtime comes with the next. */
const atOnce = 50;

/**
 * Opens every period of a subscription that has begun: each becomes a payment link over the package's amount of today. None
 * is left out, however long nobody looked, and none is opened twice, however many look at once: the statement moves the
 * subscription on from what it saw, or does nothing.
 */
export async function openPeriods(subscriptionId: string): Promise<void> {
  for (let more = true; more; ) {
    const now = clock.now();
    const [due] = await queryRows<Due>(
      db,
      Prisma.sql`
      SELECT s.id, s.business_id, s.livemode, s.status, s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at, s.cancel_at_period_end
        FROM subscription s JOIN package p ON p.id = s.package_id
       WHERE s.id = ${subscriptionId} AND s.next_charge_at <= ${now}`,
    );
    if (!due) return;
    if (due.cancel_at_period_end && due.next_period > 0) return end(due);
    more = await open(due, now);
  }
}

/** @returns whether there may be more of them */
async function open(due: Due, now: Date): Promise<boolean> {
  const starts = [due.next_charge_at];
  while (starts.length <= atOnce) {
    const start = periodStart(due, due.next_period + starts.length);
    starts.push(start);
    if (start > now) break;
  }
  const next = starts.at(-1);
  const begun = starts.slice(0, -1);
  const ends = starts.slice(1);
  await sqlTransaction(async (tx) => {
    // Locked by a statement of its own: what the next one sees is not older than the lock. Otherwise the last open period
    // could be paid meanwhile, and of the new ones none would be the oldest for anybody.
    await queryRows(tx, Prisma.sql`SELECT id FROM subscription WHERE id = ${due.id} FOR NO KEY UPDATE`);
    const opened = await queryRows<Row>(
      tx,
      Prisma.sql`
    WITH moved AS (
      UPDATE subscription SET next_period = next_period + ${begun.length}::int, next_charge_at = ${next}::timestamptz,
             current_period_start = ${begun.at(-1)}::timestamptz, current_period_end = ${next}::timestamptz
       WHERE id = ${due.id} AND next_period = ${due.next_period} AND next_charge_at = ${due.next_charge_at}
         AND (NOT cancel_at_period_end OR next_period = 0)
      RETURNING id, business_id, livemode, package_id, email, phone_no
    )
    INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
      subscription_id, period_index, period_start, period_end, next_step_at)
    SELECT period.id, moved.business_id, moved.livemode, moved.email, moved.phone_no, p.currency, p.amount_cents, p.name,
           p.description, moved.id, ${due.next_period}::int + period.index - 1, period.start, period.end,
           -- One that finds an older one open waits for it.
           CASE WHEN period.index = 1 AND NOT EXISTS (
             SELECT FROM payment_link l WHERE l.subscription_id = moved.id AND l.deleted_at IS NULL
                AND l.status IN ('Active', 'Processing')) THEN period.start END
      FROM moved JOIN package p ON p.id = moved.package_id,
           unnest(${begun.map(() => newId("pl"))}::text[], ${begun}::timestamptz[], ${ends}::timestamptz[])
             WITH ORDINALITY AS period (id, start, "end", index)
    RETURNING ${columns(now)}`,
    );
    await record(
      tx,
      { businessId: due.business_id, livemode: due.livemode },
      opened.map((row) => ({ type: "payment_link.created", data: present(row) })),
    );
  });
  return next !== undefined && next <= now;
}

/** The last period that was wanted is over. Whoever owes nothing has completed it. */
async function end({ id, next_period, ...due }: Due): Promise<void> {
  await sqlTransaction(async (tx) => {
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
    await record(tx, tenant, await toldOf(tx, tenant, id, [type]));
  });
}
