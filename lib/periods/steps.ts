// Schedules the next step of a subscription's open periods: a charge or a reminder.
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { isUnpaidAndDisputed } from "@/lib/resources/subscriptions/resource";
import { hasUsableCard } from "./cardless";
import { nextStep, noCard } from "./dunning";
import type { Period } from "./lock";

/** Stops the charges and reminders of a period while staff wait for a bank transfer. */
export async function pausePeriod(tx: Db, { link_id }: Period): Promise<void> {
  await queryRows(tx, Prisma.sql`UPDATE payment_link SET next_step_at = NULL WHERE id = ${link_id}`);
}

/**
 * After staff reversed a period's manual payment, or no longer wait for a transfer: the period is owed again. Its dunning starts
 * anew, with the first dunning day as its first step, so that nothing is charged at once. Without a usable card, that step is a reminder.
 */
export async function restartPeriod(tx: Db, period: Period, now: Date): Promise<void> {
  const { subscription_id, link_id } = period;
  const step = nextStep({ days: period.dunning_days, end: period.dunning_end }, now, now) ?? tomorrow(now);
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l
       SET failed_at = CASE WHEN l.id = ${link_id} THEN ${now}::timestamptz ELSE l.failed_at END,
           failure = CASE WHEN l.id <> ${link_id} THEN l.failure WHEN oldest.has_card THEN NULL ELSE ${noCard} END,
           next_step_at = CASE WHEN l.id <> oldest.id THEN NULL WHEN l.id = ${link_id} THEN ${step}::timestamptz ELSE l.next_step_at END
      FROM (${oldestOf(subscription_id, ["created", "active", "past_due"])}) AS oldest
     WHERE l.subscription_id = ${subscription_id} AND l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL
       AND (l.id = ${link_id} OR l.next_step_at IS NOT NULL)`,
  );
}

export const tomorrow = (now: Date) => new Date(now.getTime() + 86_400_000);

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
 * @param reopened the period that staff activated again. Without a usable card an older one stays as it is: otherwise its payer gets a
 * mail outside the dunning days
 */
export async function retryOldest(tx: Db, subscriptionId: string, now: Date, reopened?: string): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l
       SET next_step_at = CASE WHEN l.id = oldest.id AND l.awaiting_transfer_since IS NULL THEN ${now}::timestamptz END,
           failure = CASE WHEN l.id = oldest.id THEN NULL ELSE l.failure END
      FROM (${oldestOf(subscriptionId, ["created", "active", "past_due", "unpaid"])}) AS oldest
     WHERE l.subscription_id = ${subscriptionId} AND l.status IN ('Active', 'Processing') AND l.deleted_at IS NULL
       AND (l.id = oldest.id OR l.next_step_at IS NOT NULL)
       AND (oldest.has_card OR oldest.id = coalesce(${reopened ?? null}::text, oldest.id))`,
  );
}

/**
 * Makes the oldest open period due now if it has no next step: its predecessor was closed, or its payer's attempt
 * failed.
 */
export async function scheduleOldest(tx: Db, subscriptionId: string, now: Date): Promise<void> {
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
  SELECT o.id, ${hasUsableCard} AS has_card FROM payment_link o JOIN subscription s ON s.id = o.subscription_id
   WHERE s.id = ${subscriptionId} AND s.status = ANY(${statuses}::text[]) AND s.deleted_at IS NULL AND NOT ${isUnpaidAndDisputed("s")}
     AND o.status IN ('Active', 'Processing') AND o.deleted_at IS NULL
   ORDER BY o.period_index LIMIT 1`;

/** Of a link l: no transfer is awaited, and no older period is open. Then that one is charged first, and afterwards this one (scheduleOldest). */
export const mayHaveStep = Prisma.sql`
  (l.awaiting_transfer_since IS NULL AND NOT EXISTS (
     SELECT FROM payment_link older WHERE older.subscription_id = l.subscription_id AND older.period_index < l.period_index
        AND older.status IN ('Active', 'Processing') AND older.deleted_at IS NULL))`;

/** Makes a link due now, after a charge failed and while the payer has another card. Its dunning does not start yet. */
export async function retryNow(tx: Db, linkId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l SET attempt_count = attempt_count + 1, failure = NULL, next_step_at = CASE WHEN ${mayHaveStep} THEN ${now}::timestamptz END
     WHERE id = ${linkId} AND status = 'Active'`,
  );
}

/** Schedules no next step for the open links: they wait for their payer. */
export async function stopSteps(tx: Db, subscriptionId: string): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET next_step_at = NULL WHERE subscription_id = ${subscriptionId} AND next_step_at IS NOT NULL`,
  );
}
