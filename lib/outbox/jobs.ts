import { type Db, Prisma, queryRows } from "@/lib/core/db";

export interface Tasks {
  bill: { subscription: string };
  advance_clock: { business: number };
}

/**
 * Enqueues a job in the caller's transaction. It runs only if the transaction commits.
 * @param key deduplicates waiting jobs
 */
export async function addJob<Name extends keyof Tasks>(
  tx: Db,
  name: Name,
  payload: Tasks[Name],
  key: string | null = null,
): Promise<void> {
  await queryRows(
    tx,
    Prisma.sql`
    SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key := ${key}) IS NOT NULL AS added`,
  );
}
