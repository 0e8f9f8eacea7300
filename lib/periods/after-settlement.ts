import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import { type Frequency, periodFrom, periodStart } from "./calendar";
import { afterFailure, type DunningPolicy, type Failing } from "./dunning";
import { type SubscriptionEvent, toldOf } from "./events";

/** A period's link with its subscription, which is locked. */
export interface Period {
  link_id: string;
  business_id: number;
  livemode: boolean;
  subscription_id: string;
  status: string;
  deleted: boolean;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  cancel_at_period_end: boolean;
  dunning_days: number[];
  dunning_end: DunningPolicy["end"];
}

/**
 * Locks the subscription whose period a link is. Whoever writes both locks in this order, subscription, then links: nobody
 * waits for somebody who waits for him.
 * @returns null when the link is no subscription's
 */
export async function lockPeriod(tx: Db, linkId: string): Promise<Period | null> {
  const [period] = await queryRows<Period>(
    tx,
    Prisma.sql`
    SELECT l.id AS link_id, l.business_id, l.livemode, s.id AS subscription_id, s.status,
           s.deleted_at IS NOT NULL AS deleted, s.anchor, s.timezone, p.frequency, s.next_period,
           s.cancel_at_period_end, b.dunning_days, b.dunning_end
      FROM payment_link l
      JOIN subscription s ON s.id = l.subscription_id
      JOIN package p ON p.id = s.package_id
      JOIN business b ON b.id = s.business_id
     WHERE l.id = ${linkId} FOR NO KEY UPDATE OF s`,
  );
  return period ?? null;
}

/**
 * Locks a subscription that is charged.
 * @returns whether it is: not paused, ended or deleted
 */
export async function lockRunning(tx: Db, subscriptionId: string): Promise<boolean> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    SELECT id FROM subscription WHERE id = ${subscriptionId} AND deleted_at IS NULL
       AND status IN ('created', 'active', 'past_due', 'unpaid') FOR NO KEY UPDATE`,
  );
  return rows.length > 0;
}

export interface Settled {
  /** Null when it was paid. */
  reason: string | null;
  /** Whether a saved card was charged without its payer; a payer's own failed try changes nothing. */
  savedCard: boolean;
  /** Whether other periods are open as well. Read after the subscription was locked: what was read with it is older. */
  more: boolean;
  now: Date;
}

/** What has become of a subscription, to be told, and whether its payer is to hear of the failed charge. */
export interface Moved {
  events: SubscriptionEvent[];
  tellPayer: boolean;
}

/**
 * What the outcome of a period's payment does to its subscription, in the transaction that writes the outcome down: whoever
 * paid, and however it became known, the subscription moves at the same moment (docs/billing.md).
 * @param period locked before the link was written
 */
export async function afterSettled(tx: Db, period: Period, { reason, savedCard, more, now }: Settled): Promise<Moved> {
  if (reason !== null && savedCard) return afterFailed(tx, period, reason, now);
  const events = reason === null ? paidEvents(period, await recover(tx, period, now)) : [];
  // A paid period that was the only one leaves nothing to be armed; a failed one is open itself.
  if (more || reason !== null) await armOldest(tx, period.subscription_id, now);
  return { events, tellPayer: false };
}

function paidEvents({ status, deleted }: Period, recovered: boolean): SubscriptionEvent[] {
  if (deleted || status === "cancel" || status === "completed") return [];
  if (status === "created") return ["subscription.activated"];
  return recovered ? ["subscription.renewed", "subscription.recovered"] : ["subscription.renewed"];
}

/** Staff have closed a period's link: what is owed now is what is left. */
export async function afterWaived(tx: Db, period: Period, now: Date): Promise<void> {
  // The first payment alone makes it active.
  const recovered = period.status !== "created" && (await recover(tx, period, now));
  await armOldest(tx, period.subscription_id, now);
  const tenant = { businessId: period.business_id, livemode: period.livemode };
  const events: SubscriptionEvent[] = recovered ? ["subscription.recovered"] : [];
  await record(tx, tenant, await toldOf(tx, tenant, period.subscription_id, events));
}

/**
 * Active again as soon as nothing that has failed is left.
 * @returns whether it has become so
 */
async function recover(tx: Db, period: Period, now: Date): Promise<boolean> {
  const { subscription_id, status } = period;
  if (period.deleted || (status !== "created" && status !== "past_due" && status !== "unpaid")) return false;
  const [open] = await queryRows<{ failed: boolean }>(
    tx,
    Prisma.sql`
    SELECT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${subscription_id} AND failed_at IS NOT NULL
                      AND status IN ('Active', 'Processing') AND deleted_at IS NULL) AS failed`,
  );
  if (open?.failed && status !== "created") return false;
  // From unpaid, the periods that went by meanwhile were not opened and are not made up for.
  const next = status === "unpaid" ? periodFrom(period, now, period.next_period) : period.next_period;
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'active', next_period = ${next}, next_charge_at = ${periodStart(period, next)}
     WHERE id = ${subscription_id}`,
  );
  return true;
}

/**
 * The oldest open period of a subscription is to be charged now, whatever failed before: it alone is worked on. For whoever
 * brings a card, or begins again after a pause. The caller has locked the subscription.
 */
export async function tryOldest(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l
       SET next_step_at = CASE WHEN l.id = oldest.id THEN ${now}::timestamptz END,
           failure = CASE WHEN l.id = oldest.id THEN NULL ELSE l.failure END
      FROM (${oldestOf(subscriptionId, ["created", "active", "past_due", "unpaid"])}) AS oldest
     WHERE l.subscription_id = ${subscriptionId} AND l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL
       AND (l.id = oldest.id OR l.next_step_at IS NOT NULL)`,
  );
}

/** The oldest open period is billing's, if nothing else was to happen to it: another one was closed, or its payer's own try failed. */
async function armOldest(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l SET next_step_at = ${now}, failure = NULL
      FROM (${oldestOf(subscriptionId, ["created", "active", "past_due"])}) AS oldest
     WHERE l.id = oldest.id AND l.next_step_at IS NULL AND l.status = 'Active' AND l.deleted_at IS NULL`,
  );
}

const oldestOf = (subscriptionId: string, statuses: string[]): Prisma.Sql => Prisma.sql`
  SELECT o.id FROM payment_link o JOIN subscription s ON s.id = o.subscription_id
   WHERE s.id = ${subscriptionId} AND s.status = ANY(${statuses}::text[]) AND s.deleted_at IS NULL
     AND o.status IN ('Active', 'Processing') AND o.deleted_at IS NULL
   ORDER BY o.period_index LIMIT 1`;

async function afterFailed(tx: Db, period: Period, reason: string, now: Date): Promise<Moved> {
  const policy = { days: period.dunning_days, end: period.dunning_end };
  const runs = !period.deleted && ["created", "active", "past_due", "unpaid"].includes(period.status);
  // Read after the lock: what was read with it is older.
  const [link] = await queryRows<Failing>(
    tx,
    Prisma.sql`SELECT attempt_count, failed_at FROM payment_link WHERE id = ${period.link_id}`,
  );
  if (!link) throw new Error(`Payment link ${period.link_id} is gone.`);
  const after = afterFailure(policy, link, reason, now);
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET attempt_count = ${after.attempt_count}, failed_at = ${after.failed_at},
           failure = ${after.failure}, next_step_at = ${runs ? after.next_step_at : null}
     WHERE id = ${period.link_id} AND status = 'Active'`,
  );
  if (!runs) return { events: [], tellPayer: false }; // ended or paused while the charge was under way: nothing follows
  // The gateway's own trouble is not the payer's, as long as it may pass.
  const tellPayer = after.failed_at !== null;
  if (after.ends) return { events: await endDunning(tx, period.subscription_id, policy), tellPayer };
  return { events: tellPayer ? await fallBehind(tx, period.subscription_id) : [], tellPayer };
}

/** A charge has failed, or a period's time to be paid by hand is over: active becomes past_due. */
export async function fallBehind(tx: Db, subscriptionId: string): Promise<SubscriptionEvent[]> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'past_due' WHERE id = ${subscriptionId} AND status = 'active' RETURNING id`,
  );
  return rows.length > 0 ? ["subscription.past_due"] : [];
}

/**
 * Nothing more will be tried: the subscription becomes what the business wants, and no further period is opened. Its open
 * links can still be paid by hand. One that was never paid is cancelled.
 */
export async function endDunning(tx: Db, subscriptionId: string, { end }: DunningPolicy): Promise<SubscriptionEvent[]> {
  const [ended] = await queryRows<{ status: string }>(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = CASE WHEN status = 'created' THEN 'cancel' ELSE ${end} END, next_charge_at = NULL
     WHERE id = ${subscriptionId} AND status IN ('created', 'active', 'past_due') RETURNING status`,
  );
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET next_step_at = NULL WHERE subscription_id = ${subscriptionId} AND next_step_at IS NOT NULL`,
  );
  if (!ended) return [];
  return [ended.status === "cancel" ? "subscription.canceled" : "subscription.unpaid"];
}

interface Saver {
  business_id: number;
  livemode: boolean;
  email: string;
}

/**
 * A payer has saved a card: what the payer's subscriptions owe in vain is charged to it at once, also after a hard decline of
 * the card before (docs/billing.md). In the transaction that makes the card usable.
 */
export async function afterCardSaved(tx: Db, { business_id, livemode, email }: Saver): Promise<void> {
  const owing = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT id FROM subscription s
     WHERE business_id = ${business_id} AND livemode = ${livemode} AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C") AND deleted_at IS NULL
       AND status IN ('created', 'active', 'past_due', 'unpaid')
       AND EXISTS (SELECT FROM payment_link l WHERE l.subscription_id = s.id AND l.status = 'Active'
                      AND l.deleted_at IS NULL AND l.period_start <= ${clock.now()})
     ORDER BY id FOR NO KEY UPDATE OF s`,
  );
  for (const { id } of owing) await tryOldest(tx, id, clock.now());
}
