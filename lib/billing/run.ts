import { clock } from "../clock";
import { db, Prisma, queryRows } from "../db";
import { collect } from "./collect";
import { openPeriods } from "./periods";

/** Opens what has begun and charges what is owed, by the clock of the subscription's business. Any number may run at once. */
export async function bill(subscriptionId: string): Promise<void> {
  const [row] = await queryRows<{ ahead: number }>(
    db,
    Prisma.sql`
    SELECT CASE WHEN s.livemode THEN 0 ELSE b.test_clock_ahead END::float8 AS ahead
      FROM subscription s JOIN business b ON b.id = s.business_id WHERE s.id = ${subscriptionId}`,
  );
  if (row) await clock.ahead(row.ahead, () => billNow(subscriptionId));
}

/** The same by the clock that the caller runs with. */
export async function billNow(subscriptionId: string): Promise<void> {
  await openPeriods(subscriptionId);
  await collect(subscriptionId);
}

/**
 * The subscriptions for which there is something to do, at most so many of each kind: a period has begun, or a step of
 * dunning is due. It costs as much as is due, by partial indexes; businesses whose test clock is ahead are asked one by one.
 * @param wanted a condition on `due.id`, so that those left out take nobody's place
 */
export const dueSubscriptions = (most: number, wanted: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (SELECT id FROM subscription due WHERE next_charge_at <= ${new Date()} AND ${wanted} ORDER BY next_charge_at LIMIT ${most})
  UNION
  (SELECT id FROM (SELECT subscription_id AS id, next_step_at FROM payment_link
    WHERE next_step_at <= ${new Date()} AND status = 'Active') AS due
    WHERE ${wanted} ORDER BY next_step_at LIMIT ${most})
  UNION
  (SELECT ahead.id FROM business b CROSS JOIN LATERAL (
     (SELECT id FROM subscription due WHERE business_id = b.id AND NOT livemode
         AND next_charge_at <= clock_timestamp() + b.test_clock_ahead * interval '1 millisecond' AND ${wanted} LIMIT ${most})
     UNION
     (SELECT id FROM (SELECT subscription_id AS id FROM payment_link
       WHERE business_id = b.id AND NOT livemode AND status = 'Active'
         AND next_step_at <= clock_timestamp() + b.test_clock_ahead * interval '1 millisecond') AS due
       WHERE ${wanted} LIMIT ${most})) AS ahead
    WHERE b.test_clock_ahead > 0 AND b.test_clock_target IS NULL)`;
