import { type Db, Prisma, queryRows } from "@/lib/core/db";

/** What workers do, by the name of the task, with what it is told. */
export interface Tasks {
  bill: { subscription: string };
  advance_clock: { business: number };
}

/**
 * Adds a job in the caller's transaction: it is done if that commits, and not before. With a `key`, a job that waits already
 * is not added again.
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
