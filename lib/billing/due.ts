import { db, Prisma, queryRows } from "@/lib/core/db";
import { dueSubscriptions } from "./run";

/** At most so many jobs are added at a time; the next look adds the rest. */
const atOnce = 5_000;

/**
 * Adds a job for every subscription with something to do, unless there is one already (`dueSubscriptions`). One that was
 * begun longer ago may be a dead worker's: another one beside it does no harm.
 * @returns how many were added
 */
export async function addDueJobs(): Promise<number> {
  const [row] = await queryRows<{ added: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS added FROM graphile_worker.add_jobs(ARRAY(
      SELECT ('bill', json_build_object('subscription', id), NULL, NULL, NULL, 'bill:' || id, NULL, NULL)::graphile_worker.job_spec
        FROM (${dueSubscriptions(atOnce)}) AS found
       ORDER BY id))`, // always in the same order, so that two processes that add the same wait for one another
  );
  return row?.added ?? 0;
}

/** A clock whose worker died on the way is taken up again by the next one. */
export async function addClockJobs(): Promise<void> {
  await queryRows(
    db,
    Prisma.sql`
    SELECT graphile_worker.add_job('advance_clock', json_build_object('business', id), job_key := 'clock:' || id, job_key_mode := 'preserve_run_at') IS NULL
      FROM business WHERE test_clock_target IS NOT NULL`,
  );
}
