import { clock } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { type NewEvent, record } from "@/lib/outbox/record";
import type { Frequency } from "@/lib/periods/calendar";
import { type Billed, getsPrice, noticeDays, priceFrom } from "@/lib/periods/new-price";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { priceAt, subscriptions } from "@/lib/resources/subscriptions/resource";

const batchSize = 200;

/** A package's new price that its existing subscriptions get; `after` is the last subscription that was told. */
interface Repricing {
  package_id: string;
  business_id: number;
  livemode: boolean;
  amount_cents: number;
  after: string;
  frequency: Frequency;
  notice_days: number;
  ahead: number;
}

interface Row extends Billed {
  id: string;
}

/**
 * Announces new prices to the existing subscriptions of packages. Each then pays it from its first period that begins after the
 * notice period. Safe to run concurrently and to repeat: each batch commits with its position.
 * @param businessId only its test mode; null: all
 */
export async function announcePriceChanges(businessId: number | null = null): Promise<void> {
  const only = businessId === null ? Prisma.empty : Prisma.sql`WHERE r.business_id = ${businessId} AND NOT r.livemode`;
  const open = await queryRows<Repricing>(
    db,
    Prisma.sql`
    SELECT r.package_id, r.business_id, r.livemode, r.amount_cents, r.after, p.frequency,
           ${noticeDays(Prisma.sql`b`)} AS notice_days,
           CASE WHEN r.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM package_repricing r JOIN package p ON p.id = r.package_id JOIN business b ON b.id = r.business_id ${only}
     ORDER BY r.created_at LIMIT 20`,
  );
  for (const repricing of open) {
    let after: string | null = repricing.after;
    while (after !== null) {
      const current: Repricing = { ...repricing, after };
      after = await clock.ahead(repricing.ahead, () => transaction(db, (tx) => announceBatch(tx, current)));
    }
  }
}

/** @returns the new position; null when all are told, or another process has taken it */
async function announceBatch(tx: Db, repricing: Repricing): Promise<string | null> {
  const { package_id, business_id, livemode, amount_cents, after } = repricing;
  const now = clock.now();
  const [taken] = await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM package_repricing WHERE package_id = ${package_id} AND amount_cents = ${amount_cents} AND after = ${after}
       FOR UPDATE SKIP LOCKED`,
  );
  if (!taken) return null;
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT id, anchor, timezone, next_period FROM subscription
     WHERE package_id = ${package_id} AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed') AND id > ${after}
     ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`,
  );
  const changes = rows.map(({ id, ...billed }) => ({
    change_id: id,
    change_from: priceFrom(billed, repricing.frequency, repricing.notice_days),
  }));
  const s = Prisma.sql`subscription`;
  const changed = await queryRows<Subscription>(
    tx,
    Prisma.sql`
    UPDATE subscription SET amount_cents = ${priceAt(s, Prisma.sql`${now}::timestamptz`)},
           next_amount_cents = ${amount_cents}, next_amount_from = change_from
      FROM ${rowsOf(changes, Prisma.sql`change_id text, change_from timestamptz`)} AS change
     WHERE id = change_id AND ${getsPrice(amount_cents)}
    RETURNING ${subscriptions.columns(now)}`,
  );
  const events = changed.map((subscription): NewEvent => {
    const mails = [{ template: "price_changing" as const, to: subscription.email, props: { subscription } }];
    return { type: "subscription.price_changing", data: subscription, mails };
  });
  await record(tx, { businessId: business_id, livemode }, events);
  const last = rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
  await queryRows(
    tx,
    last === null
      ? Prisma.sql`DELETE FROM package_repricing WHERE package_id = ${package_id}`
      : Prisma.sql`UPDATE package_repricing SET after = ${last} WHERE package_id = ${package_id}`,
  );
  return last;
}
