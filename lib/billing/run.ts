import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { collect } from "./collect";
import { type Calendar, findCalendar, openPeriods } from "./periods";

/** Opens what has begun and charges what is owed, by the clock of the subscription's business. Any number may run at once. */
export async function bill(subscriptionId: string): Promise<void> {
  const found = await findCalendar(subscriptionId);
  if (found) await clock.ahead(found.ahead, () => work(found));
}

/** The same by the clock that the caller runs with. */
export async function billNow(subscriptionId: string): Promise<void> {
  const found = await findCalendar(subscriptionId);
  if (found) await work(found);
}

async function work(found: Calendar): Promise<void> {
  await openPeriods(found);
  await collect(found.id);
}

/** No job of it waits, also after a failure, or has been begun just now. Those left out take nobody's place. */
const unasked = Prisma.sql`id NOT IN (SELECT id FROM asked)`;

/**
 * The subscriptions for which there is something to do, and no job yet, at most so many of each kind: a period has begun, or
 * a step of dunning is due. It costs as much as is due, by partial indexes; businesses whose test clock is ahead are asked
 * one by one.
 */
export const dueSubscriptions = (most: number): Prisma.Sql => Prisma.sql`
  WITH asked AS MATERIALIZED (
    SELECT substr(key, 6) AS id FROM graphile_worker.jobs WHERE key LIKE 'bill:%' AND attempts < max_attempts
       AND CASE WHEN locked_at IS NULL THEN run_at < now() + interval '5 minutes'
                ELSE locked_at > now() - interval '10 seconds' END)
  (SELECT id FROM subscription WHERE next_charge_at <= ${new Date()} AND ${unasked} ORDER BY next_charge_at LIMIT ${most})
  UNION
  (SELECT id FROM (SELECT subscription_id AS id, next_step_at FROM payment_link
    WHERE next_step_at <= ${new Date()} AND status = 'Active') AS due
    WHERE ${unasked} ORDER BY next_step_at LIMIT ${most})
  UNION
  (SELECT ahead.id FROM business b CROSS JOIN LATERAL (
     (SELECT id FROM subscription WHERE business_id = b.id AND NOT livemode
         AND next_charge_at <= clock_timestamp() + b.test_clock_ahead * interval '1 millisecond' AND ${unasked} LIMIT ${most})
     UNION ALL
     (SELECT id FROM (SELECT subscription_id AS id FROM payment_link
       WHERE business_id = b.id AND NOT livemode AND status = 'Active'
         AND next_step_at <= clock_timestamp() + b.test_clock_ahead * interval '1 millisecond') AS due
       WHERE ${unasked} LIMIT ${most})) AS ahead
    WHERE b.test_clock_ahead > 0 AND b.test_clock_target IS NULL)`;
