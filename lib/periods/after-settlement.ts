import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import { type Frequency, periodFrom, periodStart, type Schedule } from "./calendar";
import { closeFailed, closeLinks } from "./closing";
import { afterFailure, type DunningPolicy, type Failing, isHard, nextStep } from "./dunning";
import { type SubscriptionEvent, subscriptionEventsOf } from "./events";

/** A period's link with its subscription; `lockPeriods` has locked the subscription. */
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
 * Locks the subscriptions of periods' links. Every transaction that writes both locks the subscription first, then its
 * links, and several subscriptions by id: a fixed order prevents deadlocks.
 * @returns by the link's id; without links that belong to no subscription
 */
export async function lockPeriods(tx: Db, linkIds: string[]): Promise<Map<string, Period>> {
  const wanted = linkIds.map((id) => ({ id }));
  const rows = await queryRows<Period>(
    tx,
    Prisma.sql`
    SELECT l.id AS link_id, l.business_id, l.livemode, s.id AS subscription_id, s.status,
           s.deleted_at IS NOT NULL AS deleted, s.anchor, s.timezone, p.frequency, s.next_period,
           s.cancel_at_period_end, b.dunning_days, b.dunning_end
      FROM ${rowsOf(wanted, Prisma.sql`id text`)} AS wanted
      JOIN payment_link l ON l.id = wanted.id
      JOIN subscription s ON s.id = l.subscription_id
      JOIN package p ON p.id = s.package_id
      JOIN business b ON b.id = s.business_id
     ORDER BY s.id FOR NO KEY UPDATE OF s`,
  );
  return new Map(rows.map((period) => [period.link_id, period]));
}

export async function lockPeriod(tx: Db, linkId: string): Promise<Period | null> {
  return (await lockPeriods(tx, [linkId])).get(linkId) ?? null;
}

/**
 * Locks a subscription if it is running.
 * @returns false when it is paused, ended or deleted
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
  reason: string | null;
  /** Whether this was an off-session charge. A payer's own failed attempt does not change the subscription. */
  savedCard: boolean;
  /** Whether other periods are open. Must be read after the subscription was locked. */
  otherOpen: boolean;
  now: Date;
}

export interface SubscriptionChange {
  events: SubscriptionEvent[];
  notifyPayer: boolean;
}

/**
 * Updates the subscription after a period's payment has settled, in the settling transaction (docs/billing.md).
 * @param period locked before the link was written
 */
export async function afterSettled(
  tx: Db,
  period: Period,
  { reason, savedCard, otherOpen, now }: Settled,
): Promise<SubscriptionChange> {
  if (reason !== null && isEnded(period) && (await closeFailed(tx, tenantOf(period), period.link_id)))
    return { events: [], notifyPayer: false };
  if (reason !== null && savedCard) return afterFailed(tx, period, reason, now);
  const events = reason === null ? paidEvents(period, await recover(tx, period, now, true)) : [];
  // A failed period is itself open. A paid one leaves work only if another period is open.
  if (otherOpen || reason !== null) await scheduleOldest(tx, period.subscription_id, now);
  return { events, notifyPayer: false };
}

const isEnded = ({ status }: Period): boolean => status === "cancel" || status === "completed";

const tenantOf = ({ business_id, livemode }: Period): Tenant => ({ businessId: business_id, livemode });

function paidEvents(period: Period, recovered: boolean): SubscriptionEvent[] {
  if (period.deleted || isEnded(period)) return [];
  if (period.status === "created") return ["subscription.activated"];
  return recovered ? ["subscription.renewed", "subscription.recovered"] : ["subscription.renewed"];
}

export async function afterWaived(tx: Db, period: Period, now: Date): Promise<void> {
  // A subscription in `created` becomes active through its first payment only.
  const recovered = period.status !== "created" && (await recover(tx, period, now, false));
  await scheduleOldest(tx, period.subscription_id, now);
  const tenant = tenantOf(period);
  const events: SubscriptionEvent[] = recovered ? ["subscription.recovered"] : [];
  await record(tx, tenant, await subscriptionEventsOf(tx, tenant, period.subscription_id, events));
}

/** Charges no card for a period and reminds nobody while staff wait for a bank transfer. */
export async function pausePeriod(tx: Db, { link_id }: Period): Promise<void> {
  await queryRows(tx, Prisma.sql`UPDATE payment_link SET next_step_at = NULL WHERE id = ${link_id}`);
}

/**
 * After staff reversed a period's manual payment, or no longer wait for a transfer: the period is owed again. Its dunning starts
 * anew, with the first dunning day as its first step, so that nothing is charged at once.
 */
export async function restartPeriod(tx: Db, period: Period, now: Date): Promise<void> {
  const { subscription_id, link_id } = period;
  const step = nextStep({ days: period.dunning_days, end: period.dunning_end }, now, now) ?? tomorrow(now);
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l
       SET failed_at = CASE WHEN l.id = ${link_id} THEN ${now}::timestamptz ELSE l.failed_at END,
           failure = CASE WHEN l.id = ${link_id} THEN NULL ELSE l.failure END,
           next_step_at = CASE WHEN l.id <> oldest.id THEN NULL WHEN l.id = ${link_id} THEN ${step}::timestamptz ELSE l.next_step_at END
      FROM (${oldestOf(subscription_id, ["created", "active", "past_due"])}) AS oldest
     WHERE l.subscription_id = ${subscription_id} AND l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL
       AND (l.id = ${link_id} OR l.next_step_at IS NOT NULL)`,
  );
}

const tomorrow = (now: Date) => new Date(now.getTime() + 86_400_000);

/**
 * Makes the subscription active once it has no failed open period left. A payment makes an unpaid one active at once; its
 * other open periods are then charged as new ones.
 * @returns whether it became active
 */
async function recover(tx: Db, period: Period, now: Date, paid: boolean): Promise<boolean> {
  const { subscription_id, status } = period;
  if (period.deleted || (status !== "created" && status !== "past_due" && status !== "unpaid")) return false;
  if (status === "unpaid" && paid) await restartDunning(tx, subscription_id);
  else if (status !== "created" && (await hasFailed(tx, subscription_id))) return false;
  // While unpaid, no periods were opened. They are skipped, not billed later.
  const set =
    status === "unpaid"
      ? skipPeriods(period, now)
      : Prisma.sql`next_charge_at = ${periodStart(period, period.next_period)}`;
  await queryRows(tx, Prisma.sql`UPDATE subscription SET status = 'active', ${set} WHERE id = ${subscription_id}`);
  return true;
}

async function hasFailed(tx: Db, subscriptionId: string): Promise<boolean> {
  const [open] = await queryRows<{ failed: boolean }>(
    tx,
    Prisma.sql`
    SELECT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${subscriptionId} AND failed_at IS NOT NULL
                      AND status IN ('Active', 'Processing') AND deleted_at IS NULL) AS failed`,
  );
  return open?.failed ?? false;
}

/**
 * The columns of a subscription that continues after a pause or after `unpaid`. Periods that began meanwhile are skipped.
 * A period that is over is no longer shown as the current one: until the next begins there is none.
 */
export function skipPeriods(schedule: Schedule & { next_period: number }, now: Date): Prisma.Sql {
  const next = periodFrom(schedule, now, schedule.next_period);
  return Prisma.sql`
    next_period = ${next}, next_charge_at = ${periodStart(schedule, next)},
    current_period_start = CASE WHEN current_period_end > ${now}::timestamptz THEN current_period_start END,
    current_period_end = CASE WHEN current_period_end > ${now}::timestamptz THEN current_period_end END`;
}

/** Clears the failures of the open periods, so that their dunning starts again. The caller has locked the subscription. */
export async function restartDunning(tx: Db, subscriptionId: string): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET failed_at = NULL, failure = NULL
     WHERE subscription_id = ${subscriptionId} AND status IN ('Active', 'Processing') AND deleted_at IS NULL`,
  );
}

/**
 * Makes the oldest open period due now and clears its failure. Used after a new card and after a pause. The caller has
 * locked the subscription.
 */
export async function retryOldest(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l
       SET next_step_at = CASE WHEN l.id = oldest.id AND l.awaiting_transfer_since IS NULL THEN ${now}::timestamptz END,
           failure = CASE WHEN l.id = oldest.id THEN NULL ELSE l.failure END
      FROM (${oldestOf(subscriptionId, ["created", "active", "past_due", "unpaid"])}) AS oldest
     WHERE l.subscription_id = ${subscriptionId} AND l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL
       AND (l.id = oldest.id OR l.next_step_at IS NOT NULL)`,
  );
}

/**
 * Makes the oldest open period due now if it has no next step: its predecessor was closed, or its payer's attempt
 * failed.
 */
async function scheduleOldest(tx: Db, subscriptionId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l SET next_step_at = ${now}, failure = NULL
      FROM (${oldestOf(subscriptionId, ["created", "active", "past_due"])}) AS oldest
     WHERE l.id = oldest.id AND l.next_step_at IS NULL AND l.status = 'Active' AND l.deleted_at IS NULL
       AND l.awaiting_transfer_since IS NULL`,
  );
}

const oldestOf = (subscriptionId: string, statuses: string[]): Prisma.Sql => Prisma.sql`
  SELECT o.id FROM payment_link o JOIN subscription s ON s.id = o.subscription_id
   WHERE s.id = ${subscriptionId} AND s.status = ANY(${statuses}::text[]) AND s.deleted_at IS NULL
     AND o.status IN ('Active', 'Processing') AND o.deleted_at IS NULL
   ORDER BY o.period_index LIMIT 1`;

async function afterFailed(tx: Db, period: Period, reason: string, now: Date): Promise<SubscriptionChange> {
  const policy = { days: period.dunning_days, end: period.dunning_end };
  const runs = !period.deleted && ["created", "active", "past_due", "unpaid"].includes(period.status);
  // `period` was read together with the lock and may be stale, so this is a separate query.
  const [link] = await queryRows<Failing & { other_card: boolean }>(
    tx,
    Prisma.sql`
    SELECT attempt_count, failed_at, EXISTS (
             SELECT FROM tokenization t WHERE t.business_id = l.business_id AND t.livemode = l.livemode AND t.status = 'active'
                AND t.declined_at IS NULL AND lower(t.email COLLATE "C") = lower(l.email COLLATE "C")) AS other_card
      FROM payment_link l WHERE id = ${period.link_id}`,
  );
  if (!link) throw new Error(`There is no payment link ${period.link_id}.`);
  if (runs && isHard(reason) && link.other_card) {
    await retryNow(tx, period.link_id, now);
    return { events: [], notifyPayer: false };
  }
  const after = afterFailure(policy, link, reason, now);
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET attempt_count = ${after.attempt_count}, failed_at = ${after.failed_at},
           failure = ${after.failure},
           next_step_at = CASE WHEN awaiting_transfer_since IS NULL THEN ${runs ? after.next_step_at : null}::timestamptz END
     WHERE id = ${period.link_id} AND status = 'Active'`,
  );
  if (!runs) return { events: [], notifyPayer: false }; // paused or ended during the charge
  // A temporary gateway error does not set `failed_at`, and the payer is not notified.
  const notifyPayer = after.failed_at !== null;
  if (after.exhausted) {
    const events = await endDunning(tx, tenantOf(period), period.subscription_id, policy);
    // The mail about the cancellation suffices, because the links are closed.
    return { events, notifyPayer: notifyPayer && !events.includes("subscription.canceled") };
  }
  return { events: notifyPayer ? await markPastDue(tx, period.subscription_id) : [], notifyPayer };
}

/** The bank declined one card for good, and the payer has another one. Nothing has failed until that one does. */
async function retryNow(tx: Db, linkId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET attempt_count = attempt_count + 1, failure = NULL, next_step_at = CASE WHEN awaiting_transfer_since IS NULL THEN ${now}::timestamptz END
     WHERE id = ${linkId} AND status = 'Active'`,
  );
}

/** active -> past_due, after a failed charge or when a period without a card is overdue. */
export async function markPastDue(tx: Db, subscriptionId: string): Promise<SubscriptionEvent[]> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'past_due' WHERE id = ${subscriptionId} AND status = 'active' RETURNING id`,
  );
  return rows.length > 0 ? ["subscription.past_due"] : [];
}

/**
 * Ends dunning: sets the status that the business's policy names and opens no further period. The open links of an unpaid
 * subscription stay payable, those of a cancelled one close. A subscription without any payment is cancelled.
 */
export async function endDunning(
  tx: Db,
  tenant: Tenant,
  subscriptionId: string,
  { end }: DunningPolicy,
): Promise<SubscriptionEvent[]> {
  const [ended] = await queryRows<{ status: string }>(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = CASE WHEN status = 'created' THEN 'cancel' ELSE ${end} END, next_charge_at = NULL
     WHERE id = ${subscriptionId} AND status IN ('created', 'active', 'past_due') RETURNING status`,
  );
  if (ended?.status === "cancel") {
    await closeLinks(tx, tenant, subscriptionId);
    return ["subscription.canceled"];
  }
  await stopSteps(tx, subscriptionId);
  return ended ? ["subscription.unpaid"] : [];
}

/** Schedules no next step for the open links: they wait for their payer. */
export async function stopSteps(tx: Db, subscriptionId: string): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET next_step_at = NULL WHERE subscription_id = ${subscriptionId} AND next_step_at IS NOT NULL`,
  );
}

interface CardOwner {
  business_id: number;
  livemode: boolean;
  email: string;
}

/**
 * Makes the payer's owed periods due now, to be charged to the new card, also after a hard decline (docs/billing.md).
 * Runs in the transaction that activates the card.
 */
export async function afterCardSaved(tx: Db, { business_id, livemode, email }: CardOwner): Promise<void> {
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
  for (const { id } of owing) await retryOldest(tx, id, clock.now());
}
