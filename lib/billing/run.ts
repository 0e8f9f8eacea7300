import { clock } from "@/lib/core/clock";
import { Prisma } from "@/lib/core/db";
import { findBillingState } from "./billing-state";
import { openAndCollect } from "./collect";

/** Opens a subscription's due periods and charges them, by the business's clock. Safe to run concurrently. */
export async function bill(subscriptionId: string): Promise<void> {
  const state = await findBillingState(subscriptionId);
  if (state) await clock.ahead(state.ahead, () => openAndCollect(state));
}

/** `bill` by the caller's clock. */
export async function billNow(subscriptionId: string): Promise<void> {
  const state = await findBillingState(subscriptionId);
  if (state) await openAndCollect(state);
}

/** In each subquery, so that a subscription with a job does not use up its LIMIT. */
const hasNoJob = Prisma.sql`id NOT IN (SELECT id FROM with_job)`;

/**
 * Subscriptions that are due and have no job: a period has started, or a dunning step is due. A job that has been
 * running for more than ten seconds does not count, since its worker may be dead and a second job does no harm. Partial
 * indexes keep the cost proportional to what is due. Businesses whose test clock is ahead are queried one by one, with `now()`, because
 * `clock_timestamp()` is volatile: no index would serve the condition.
 * @param limit of each kind
 */
export const dueSubscriptions = (limit: number): Prisma.Sql => Prisma.sql`
  WITH with_job AS MATERIALIZED (
    SELECT substr(key, 6) AS id FROM graphile_worker.jobs WHERE key LIKE 'bill:%' AND attempts < max_attempts
       AND CASE WHEN locked_at IS NULL THEN run_at < now() + interval '5 minutes'
                ELSE locked_at > now() - interval '10 seconds' END)
  (SELECT id FROM subscription WHERE next_charge_at <= ${new Date()} AND ${hasNoJob} ORDER BY next_charge_at LIMIT ${limit})
  UNION
  (SELECT id FROM (SELECT subscription_id AS id, next_step_at FROM payment_link
    WHERE next_step_at <= ${new Date()} AND status = 'Active') AS due
    WHERE ${hasNoJob} ORDER BY next_step_at LIMIT ${limit})
  UNION
  (SELECT ahead.id FROM business b CROSS JOIN LATERAL (
     (SELECT id FROM subscription WHERE business_id = b.id AND NOT livemode
         AND next_charge_at <= now() + b.test_clock_ahead * interval '1 millisecond' AND ${hasNoJob} LIMIT ${limit})
     UNION ALL
     (SELECT id FROM (SELECT subscription_id AS id FROM payment_link
       WHERE business_id = b.id AND NOT livemode AND status = 'Active'
         AND next_step_at <= now() + b.test_clock_ahead * interval '1 millisecond') AS due
       WHERE ${hasNoJob} LIMIT ${limit})) AS ahead
    WHERE b.test_clock_ahead > 0 AND b.test_clock_target IS NULL)`;
