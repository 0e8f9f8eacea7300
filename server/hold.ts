import { db, execute, Prisma, queryRows } from "@/lib/core/db";

/** A restored database is held until an operator releases it: no worker bills, sends mails or delivers webhooks. */
export interface Hold {
  backup_at: Date;
  restored_at: Date;
}

/** The latest restore that is not released; null without one. */
export async function findHold(): Promise<Hold | null> {
  const [hold] = await queryRows<Hold>(
    db,
    Prisma.sql`
    SELECT backup_at, restored_at FROM database_restore WHERE released_at IS NULL ORDER BY id DESC LIMIT 1`,
  );
  return hold ?? null;
}

/** @returns how many restores were released: 0 if the database was not held */
export const releaseHold = (): Promise<number> =>
  execute(db, Prisma.sql`UPDATE database_restore SET released_at = clock_timestamp() WHERE released_at IS NULL`);
