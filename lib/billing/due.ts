import { db, Prisma, queryRows } from "@/lib/core/db";
import { dueSubscriptions } from "./run";

/** The next poll adds the rest. */
const batchSize = 5_000;

/** With more jobs waiting, a poll adds none: it compares what is due with each of them. */
const maxWaitingJobs = 20_000;

/**
 * Adds a job for every due subscription that has none (`dueSubscriptions`).
 * @returns how many were added
 */
export async function addDueJobs(): Promise<number> {
  const [waiting] = await queryRows<{ count: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS count FROM (SELECT FROM graphile_worker.jobs WHERE key LIKE 'bill:%' LIMIT ${maxWaitingJobs}::int) AS job`,
  );
  if (waiting?.count === maxWaitingJobs) return 0;
  const [row] = await queryRows<{ added: number }>(
    db,
    Prisma.sql`
    SELECT count(*)::int AS added FROM graphile_worker.add_jobs(ARRAY(
      SELECT ('bill', json_build_object('subscription', id), NULL, NULL, NULL, 'bill:' || id, NULL, NULL)::graphile_worker.job_spec
        FROM (${dueSubscriptions(batchSize)}) AS found
       ORDER BY id))`, // a fixed order prevents deadlocks between processes that add the same jobs
  );
  return row?.added ?? 0;
}

/** Adds a job for every test clock that has not reached its target, also after its worker died. */
export async function addClockJobs(): Promise<void> {
  await queryRows(
    db,
    Prisma.sql`
    SELECT graphile_worker.add_job('advance_clock', json_build_object('business', id), job_key := 'clock:' || id, job_key_mode := 'preserve_run_at') IS NULL
      FROM business WHERE test_clock_target IS NOT NULL`,
  );
}
