import { clock } from "@/lib/core/clock";
import { type Db, execute, Prisma, queryRows } from "@/lib/core/db";
import { isUnpaidAndDisputed } from "@/lib/resources/subscriptions/resource";
import { periodFrom, periodStart, type Schedule } from "./calendar";
import type { SubscriptionChange, SubscriptionEvent } from "./events";
import { openBegun } from "./opening";
import { restartDunning, retryOldest, stopSteps } from "./steps";

/**
 * Pauses a subscription because one of its payments is disputed, if the business wants it. The caller has locked it, and records the
 * events of opened links before those of the subscription.
 */
export async function pauseForDispute(tx: Db, id: string): Promise<Pick<SubscriptionChange, "earlier" | "events">> {
  const now = clock.now();
  const [running] = await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM subscription WHERE id = ${id} AND status IN ('active', 'past_due') AND deleted_at IS NULL
       AND (SELECT pause_disputed FROM business WHERE id = business_id)`,
  );
  if (!running) return { earlier: [], events: [] };
  const earlier = await openBegun(tx, id, now);
  await execute(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'paused', paused_reason = 'dispute', paused_at = ${now}::timestamptz, next_charge_at = NULL
     WHERE id = ${id}`,
  );
  await stopSteps(tx, id);
  return { earlier, events: ["subscription.paused"] };
}

/**
 * Resumes a subscription that a dispute had paused, unless another dispute holds money of it. It also stays paused if a dispute was
 * lost during the pause: then staff decide. The caller has locked it.
 * @param holding the dispute statuses in which the bank has the money
 */
export async function resumeAfterDispute(tx: Db, id: string, holding: string[]): Promise<SubscriptionEvent[]> {
  const [current] = await queryRows<Continuing>(
    tx,
    Prisma.sql`
    SELECT s.anchor, s.timezone, p.frequency, s.next_period, s.cancel_at_period_end FROM subscription s JOIN package p ON p.id = s.package_id
     WHERE s.id = ${id} AND s.status = 'paused' AND s.paused_reason = 'dispute' AND s.deleted_at IS NULL
       AND NOT EXISTS (SELECT FROM payment_link l JOIN dispute d ON d.payment_link_id = l.id
                        WHERE l.subscription_id = s.id AND d.status = ANY (${holding}::text[])
                          AND (d.closed_at IS NULL OR s.paused_at IS NULL OR d.closed_at >= s.paused_at))`,
  );
  if (!current) return [];
  await execute(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'active', paused_reason = NULL, ${skipPeriods(current, clock.now())} WHERE id = ${id}`,
  );
  await restartDunning(tx, id);
  await retryOldest(tx, id, clock.now());
  return ["subscription.resumed"];
}

/**
 * Pauses an unpaid subscription that would be charged again, if a bank is deciding a dispute about it. The caller has locked it.
 * @returns whether it was paused
 */
export async function pauseDisputed(tx: Db, subscriptionId: string, now: Date): Promise<boolean> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'paused', paused_reason = 'dispute', paused_at = ${now}::timestamptz
     WHERE id = ${subscriptionId} AND ${isUnpaidAndDisputed("subscription")} RETURNING id`,
  );
  if (rows.length > 0) await stopSteps(tx, subscriptionId);
  return rows.length > 0;
}

interface Continuing extends Schedule {
  next_period: number;
  cancel_at_period_end: boolean;
}

/**
 * The columns of a subscription that continues after a pause or after `unpaid`. Periods that began meanwhile are skipped. `openBegun` has
 * opened those that began before a pause. If its last period has ended, it is due, so that billing completes it.
 * A period that is over is no longer shown as the current one: until the next begins there is none.
 */
export function skipPeriods(schedule: Continuing, now: Date): Prisma.Sql {
  const { cancel_at_period_end, next_period } = schedule;
  const next = cancel_at_period_end && next_period > 0 ? next_period : periodFrom(schedule, now, next_period);
  return Prisma.sql`
    next_period = ${next}, next_charge_at = ${periodStart(schedule, next)},
    current_period_start = CASE WHEN current_period_end > ${now}::timestamptz THEN current_period_start END,
    current_period_end = CASE WHEN current_period_end > ${now}::timestamptz THEN current_period_end END`;
}
