import { clock } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { type NewEvent, record } from "@/lib/outbox/record";
import { type Frequency, startAfterNotice } from "@/lib/periods/calendar";
import { forgetsAnnounced, getsPrice, withdrawsNext } from "@/lib/periods/new-price";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { noticeDays, openingAt, priceAt, priceChangeOf, subscriptions } from "@/lib/resources/subscriptions/resource";

const batchSize = 200;
const self = Prisma.sql`subscription`;

/** A package's new price that its existing subscriptions get; `after` is the last subscription that was told. */
interface Repricing {
  /** false: what was announced before is withdrawn, where no mail was sent yet. */
  announces: boolean;
  package_id: string;
  business_id: number;
  livemode: boolean;
  amount_cents: number;
  after: string;
  frequency: Frequency;
  notice_days: number;
  ahead: number;
}

interface Row {
  id: string;
  anchor: string;
  timezone: string;
  next_period: number;
}

/**
 * Announces new prices to the existing subscriptions of packages. Each subscription pays the new price from its first period
 * that begins after the notice period, but only once its mail is sent (lib/outbox/mail/current.ts). Safe to run concurrently
 * and to repeat: each batch commits with its position.
 * @param businessId only its test mode; null: all
 */
export async function announcePriceChanges(businessId: number | null = null): Promise<void> {
  const only = businessId === null ? Prisma.empty : Prisma.sql`WHERE r.business_id = ${businessId} AND NOT r.livemode`;
  const open = await queryRows<Repricing>(
    db,
    Prisma.sql`
    SELECT r.package_id, r.business_id, r.livemode, r.amount_cents, r.announces, r.after, p.frequency,
           ${noticeDays(Prisma.sql`b`)} AS notice_days,
           CASE WHEN r.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM package_repricing r JOIN package p ON p.id = r.package_id JOIN business b ON b.id = r.business_id ${only}
     ORDER BY r.created_at LIMIT 20`,
  );
  // Announce every price even if one fails.
  const errors: unknown[] = [];
  for (const repricing of open) await announceToAll(repricing).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

async function announceToAll(repricing: Repricing): Promise<void> {
  let after: string | null = repricing.after;
  while (after !== null) {
    const current: Repricing = { ...repricing, after };
    after = await clock.ahead(repricing.ahead, () => transaction(db, (tx) => nextBatch(tx, current)));
  }
}

/** @returns the new position; null when all are told, or another process has taken it */
async function nextBatch(tx: Db, repricing: Repricing): Promise<string | null> {
  const { package_id, amount_cents, announces, after } = repricing;
  const [taken] = await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM package_repricing
     WHERE package_id = ${package_id} AND amount_cents = ${amount_cents} AND announces = ${announces} AND after = ${after}
       FOR UPDATE SKIP LOCKED`,
  );
  if (!taken) return null;
  const last = await (announces ? announceBatch : withdrawBatch)(tx, repricing);
  await queryRows(
    tx,
    last === null
      ? Prisma.sql`DELETE FROM package_repricing WHERE package_id = ${package_id}`
      : Prisma.sql`UPDATE package_repricing SET after = ${last} WHERE package_id = ${package_id}`,
  );
  return last;
}

/** Forgets the prices of a package that were not told yet. @returns the new position; null after the last batch */
async function withdrawBatch(tx: Db, { package_id, business_id, livemode }: Repricing): Promise<string | null> {
  const withdrawn = await queryRows<Subscription>(
    tx,
    Prisma.sql`
    UPDATE subscription SET announced_amount_cents = NULL, announced_amount_from = NULL
     WHERE id IN (SELECT id FROM subscription WHERE package_id = ${package_id} AND announced_amount_cents IS NOT NULL
                     AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed')
                   ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE)
    RETURNING ${subscriptions.columns()}`,
  );
  const events = withdrawn.map((data): NewEvent => ({ type: "subscription.updated", data }));
  await record(tx, { businessId: business_id, livemode }, events);
  return withdrawn.length < batchSize ? null : "";
}

/** @returns the new position; null after the last batch */
async function announceBatch(tx: Db, repricing: Repricing): Promise<string | null> {
  const { package_id, business_id, livemode, amount_cents, after, frequency, notice_days } = repricing;
  const now = clock.now();
  const rows = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT id, anchor, timezone, next_period FROM subscription
     WHERE package_id = ${package_id} AND deleted_at IS NULL AND status NOT IN ('cancel', 'completed') AND id > ${after}
     ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`,
  );
  const changes = rows.map(({ id, next_period, ...rest }) => ({
    change_id: id,
    change_from: startAfterNotice({ ...rest, frequency }, next_period, now, notice_days),
  }));
  const changed = await queryRows<Subscription & { gets: boolean }>(
    tx,
    Prisma.sql`
    UPDATE subscription
       SET -- Test mode sends no mail, so the price is the next one at once.
           amount_cents = CASE WHEN gets AND NOT livemode THEN ${priceAt(self, openingAt(self, Prisma.sql`${now}::timestamptz`))}
                               ELSE amount_cents END,
           next_amount_cents = CASE WHEN gets AND NOT livemode THEN ${amount_cents}::int WHEN NOT withdraws THEN next_amount_cents END,
           next_amount_from = CASE WHEN gets AND NOT livemode THEN change_from WHEN NOT withdraws THEN next_amount_from END,
           announced_amount_cents = CASE WHEN gets AND livemode THEN ${amount_cents}::int WHEN NOT forgets THEN announced_amount_cents END,
           announced_amount_from = CASE WHEN gets AND livemode THEN change_from WHEN NOT forgets THEN announced_amount_from END
      FROM (SELECT change_id, change_from, ${getsPrice(amount_cents, now)} AS gets, ${withdrawsNext(amount_cents, now)} AS withdraws,
                   ${forgetsAnnounced(amount_cents, now)} AS forgets
              FROM ${rowsOf(changes, Prisma.sql`change_id text, change_from timestamptz`)} AS change
              JOIN subscription ON id = change_id) AS change
     WHERE id = change_id AND (gets OR withdraws OR forgets)
    RETURNING ${subscriptions.columns(now)}, gets`,
  );
  const starts = new Map(changes.map(({ change_id, change_from }) => [change_id, change_from]));
  const events = changed.map(({ gets, ...current }): NewEvent => {
    const from = starts.get(current._id);
    if (!gets || !from) return { type: "subscription.updated", data: current };
    const subscription = { ...current, price_change: priceChangeOf(amount_cents, from, !livemode) };
    const mails = [{ template: "price_changing" as const, to: subscription.email, props: { subscription } }];
    return { type: "subscription.price_changing", data: subscription, mails };
  });
  await record(tx, { businessId: business_id, livemode }, events);
  return rows.length < batchSize ? null : (rows.at(-1)?.id ?? null);
}
