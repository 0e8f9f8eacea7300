import { type Db, Prisma, queryRows } from "@/lib/core/db";

export interface Tasks {
  bill: { subscription: string };
  advance_clock: { business: number };
  detach_card: { tokenization: string };
}

/** Tries of a job, the later ones six hours apart: 25 take four days, 100 three weeks. */
const maxAttempts: Record<keyof Tasks, number> = { bill: 25, advance_clock: 25, detach_card: 100 };

export const taskNames = Object.keys(maxAttempts);

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
    SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, job_key := ${key},
                                   max_attempts := ${maxAttempts[name]}::int) IS NOT NULL AS added`,
  );
}
