import { db, Prisma, queryRows } from "./db";
import { Scope } from "./scope";

/** A clock other than the system's: `ahead` of it by milliseconds, or stopped `at` an instant. */
type Shifted = { ahead: number } | { at: Date };

const shifted = new Scope<Shifted>();

/**
 * The source of business time; domain code never reads the system's clock. A business's test mode can be ahead
 * (lib/billing/test-clock.ts): work for it runs inside `ahead` or `at`.
 */
export const clock = {
  now: (): Date => {
    const shift = shifted.get();
    if (!shift) return new Date();
    return "at" in shift ? new Date(shift.at) : new Date(Date.now() + shift.ahead);
  },
  ahead: <T>(ms: number, work: () => T): T => (ms === 0 ? work() : shifted.run({ ahead: ms }, work)),
  at: <T>(instant: Date, work: () => T): T => shifted.run({ at: instant }, work),
  /** Runs `work` with the system's clock, for gateways: test clocks do not move them. */
  outside: <T>(work: () => T): T => shifted.exit(work),
};

/** ISO 8601 with microseconds, as PostgreSQL writes the instants of the API. */
export const isoMicros = (at: Date): string => at.toISOString().replace("Z", "000Z");

/** Runs `work` with the clock of a business: in test mode, its test clock. */
export async function withClockOf<T>(businessId: number, livemode: boolean, work: () => Promise<T>): Promise<T> {
  if (livemode) return work();
  const [row] = await queryRows<{ ahead: number }>(
    db,
    Prisma.sql`SELECT test_clock_ahead::float8 AS ahead FROM business WHERE id = ${businessId}`,
  );
  return clock.ahead(row?.ahead ?? 0, work);
}
