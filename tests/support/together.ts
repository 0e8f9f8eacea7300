import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma } from "@/lib/core/db";
import type { Reply } from "./http";

/**
 * Starts two requests in this order, and lets neither commit before both are at work.
 * @param lock a SELECT that locks what the first request needs late. The test holds it for less than the second that a request waits
 * @param table one that the first request writes before it waits
 * @returns their statuses
 */
export async function together(
  lock: Prisma.Sql,
  table: string,
  first: () => Promise<Reply>,
  second: () => Promise<Reply>,
): Promise<number[]> {
  const both = await db.$transaction(
    async (tx) => {
      await tx.$queryRaw(lock);
      const isWaiting = Prisma.sql`
        SELECT pid FROM pg_locks WHERE relation = ${table}::text::regclass AND mode = 'RowExclusiveLock'
           AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`;
      const one = first();
      while ((await tx.$queryRaw<object[]>(isWaiting)).length === 0) await sleep(20);
      const two = second();
      await Promise.race([two, sleep(600)]);
      return [one, two];
    },
    { timeout: 20_000 },
  );
  return (await Promise.all(both)).map(({ status }) => status);
}
