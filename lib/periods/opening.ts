import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { NewEvent } from "@/lib/outbox/record";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { priceAt } from "@/lib/resources/subscriptions/resource";
import { periodStart, type Schedule } from "./calendar";

/** Periods per statement. After a long downtime the caller repeats it. */
const batchSize = 50;

/** A subscription with a period that has begun. */
interface Begun extends Schedule {
  id: string;
  business_id: number;
  livemode: boolean;
  next_period: number;
  /** When that period began. */
  next_charge_at: Date;
}

interface OpenedBatch {
  events: NewEvent[];
  mayBeMore: boolean;
}

/**
 * Creates a payment link for each period that has begun, with its agreed price, for at most a batch of them. Writes nothing if the
 * subscription has moved on from the position in `due`. Locks the subscription.
 * @param charges whether the oldest open period is due for its charge
 * @returns the events for the caller to record; none if nothing was written. And whether more periods may have begun: after the last one,
 * its charge comes before the end
 */
export async function openBatch(tx: Db, due: Begun, now: Date, charges: boolean): Promise<OpenedBatch> {
  // A separate statement takes the lock, so that the next one's snapshot is newer than the lock. Otherwise a
  // concurrent payment of the last open period could go unseen, and no new period would become due.
  const [locked] = await queryRows<{ cancel_at_period_end: boolean }>(
    tx,
    Prisma.sql`SELECT cancel_at_period_end FROM subscription WHERE id = ${due.id} FOR NO KEY UPDATE`,
  );
  // Canceled before billing opened the first period: that one is the last, however late billing is.
  const most = locked?.cancel_at_period_end ? 1 : batchSize;
  const starts = [due.next_charge_at];
  while (starts.length <= most) {
    const start = periodStart(due, due.next_period + starts.length);
    starts.push(start);
    if (start > now) break;
  }
  const next = starts.at(-1);
  const started = starts.slice(0, -1);
  const periods = started.map((start, index) => ({ id: newId("pl"), index, start, end: starts[index + 1] }));
  const opened = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    WITH moved AS (
      UPDATE subscription SET next_period = next_period + ${started.length}::int, next_charge_at = ${next}::timestamptz,
             current_period_start = ${started.at(-1)}::timestamptz, current_period_end = ${next}::timestamptz
       WHERE id = ${due.id} AND next_period = ${due.next_period} AND next_charge_at = ${due.next_charge_at}
         AND (NOT cancel_at_period_end OR next_period = 0)
      RETURNING *
    )
    INSERT INTO payment_link (id, business_id, livemode, email, phone_no, currency, amount_cents, title, description,
      subscription_id, period_index, period_start, period_end, next_step_at)
    SELECT period.id, moved.business_id, moved.livemode, moved.email, moved.phone_no, p.currency,
           ${priceAt(Prisma.sql`moved`, Prisma.sql`period.start`)}, p.name,
           p.description, moved.id, ${due.next_period}::int + period.index, period.start, period.end,
           -- A period waits while an older one is open.
           CASE WHEN ${charges}::boolean AND period.index = 0 AND NOT EXISTS (
             SELECT FROM payment_link l WHERE l.subscription_id = moved.id AND l.deleted_at IS NULL
                AND l.status IN ('Active', 'Processing')) THEN period.start END
      FROM moved JOIN package p ON p.id = moved.package_id,
           -- One JSON parameter, because array parameters prevent a generic plan.
           json_to_recordset(${JSON.stringify(periods)}::json) AS period (id text, index int, start timestamptz, "end" timestamptz)
    RETURNING ${paymentLinks.columns(now)}`,
  );
  return {
    events: opened.map((link) => ({ type: "payment_link.created", data: link })),
    mayBeMore: opened.length > 0 && most > 1 && next !== undefined && next <= now,
  };
}

/**
 * Opens the periods that have begun and that billing has not opened yet, without charging them: a pause would lose them, because
 * a resume skips periods that have no link. The caller has locked the subscription, and records the events.
 */
export async function openBegun(tx: Db, id: string, now: Date): Promise<NewEvent[]> {
  const opened: NewEvent[] = [];
  for (;;) {
    const [due] = await queryRows<Begun>(
      tx,
      Prisma.sql`
      SELECT s.id, s.business_id, s.livemode, s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at
        FROM subscription s JOIN package p ON p.id = s.package_id
       WHERE s.id = ${id} AND s.next_charge_at <= ${now}::timestamptz AND (NOT s.cancel_at_period_end OR s.next_period = 0)`,
    );
    if (!due) return opened;
    const { events, mayBeMore } = await openBatch(tx, due, now, false);
    opened.push(...events);
    if (!mayBeMore) return opened;
  }
}
