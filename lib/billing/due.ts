import { db, Prisma, queryRows } from "../db";
import { dueSubscriptions } from "./run";

/** At most so many jobs are added at a time; the next look adds the rest. */
const atOnce = 5_000;

/** No job of it waits, also after a failure, or has been begun just now. */
export const unasked = Prisma.sql`NOT EXISTS (
  SELECT FROM graphile_worker.jobs WHERE key = 'bill:' || due.id AND attempts < max_attempts
     AND CASE WHEN locked_at IS NULL THEN run_at < now() + interval '5 minutes' ELSE locked_at > now() - interval '10 seconds' END)`;

/**
 * Adds a job for every subscription with something to do, unless one waits, also after a failure, or has been begun just now. One that was begun
 * longer ago may be a dead worker's: another one beside it does no harm.
 * @returns how many were added
 */
export async function addDueJobs(): Promise<number> {
  const [row] = await queryRows<{ added: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS added FROM graphile_worker.add_jobs(ARRAY(
      SELECT ('bill', json_build_object('subscription', id), NULL, NULL, NULL, 'bill:' || id, NULL, NULL)::graphile_worker.job_spec
        FROM (${dueSubscriptions(atOnce, unasked)}) AS found
       ORDER BY id))`, // always in the same order, so that two processes that add the same wait for one another
  );
  return row?.added ?? 0;
}

/** A clock whose worker died on the way is taken up again by the next one. */
export async function addClockJobs(): Promise<void> {
  await queryRows(
    db,
    Prisma.sql`
    SELECT graphile_worker.add_job('advance_clock', json_build_object('business', id), job_key := 'clock:' || id) IS NULL
      FROM business WHERE test_clock_target IS NOT NULL`,
  );
}
