import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows } from "@/lib/core/db";

/** Runs `work` by the clock of a business: in test mode it can be ahead of everybody else's. */
export async function withClockOf<T>(businessId: number, livemode: boolean, work: () => Promise<T>): Promise<T> {
  if (livemode) return work();
  const [row] = await queryRows<{ ahead: number }>(
    db,
    Prisma.sql`SELECT test_clock_ahead::float8 AS ahead FROM business WHERE id = ${businessId}`,
  );
  return clock.ahead(row?.ahead ?? 0, work);
}
