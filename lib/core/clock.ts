import { AsyncLocalStorage } from "node:async_hooks";
import { db, Prisma, queryRows } from "./db";

/** A clock other than the system's: so many milliseconds ahead of it, or standing still. */
type Shifted = { ahead: number } | { at: Date };

const shifted = new AsyncLocalStorage<Shifted>();

/**
 * Where business time comes from; nothing in the domain asks the system for it. In test mode a business can be ahead of
 * everybody else (lib/billing/test-clock.ts): whoever works for it does so inside `ahead` or `at`.
 */
export const clock = {
  now: (): Date => {
    const shift = shifted.getStore();
    if (!shift) return new Date();
    return "at" in shift ? new Date(shift.at) : new Date(Date.now() + shift.ahead);
  },
  /** Runs `work` with a clock that is `ms` milliseconds ahead. */
  ahead: <T>(ms: number, work: () => T): T => (ms === 0 ? work() : shifted.run({ ahead: ms }, work)),
  /** Runs `work` with a clock that stands at an instant. */
  at: <T>(instant: Date, work: () => T): T => shifted.run({ at: instant }, work),
  /** Runs `work` by the system's clock again: what other companies do happens in their own time. */
  outside: <T>(work: () => T): T => shifted.exit(work),
};

/** Runs `work` by the clock of a business: in test mode it can be ahead of everybody else's. */
export async function withClockOf<T>(businessId: number, livemode: boolean, work: () => Promise<T>): Promise<T> {
  if (livemode) return work();
  const [row] = await queryRows<{ ahead: number }>(
    db,
    Prisma.sql`SELECT test_clock_ahead::float8 AS ahead FROM business WHERE id = ${businessId}`,
  );
  return clock.ahead(row?.ahead ?? 0, work);
}
