import type { Connections } from "./connections";

/**
 * The connections of this process once it has opened them. The framework's bundles are separate module graphs in one process, and
 * share the pool and its statement names through globalThis.
 */
export const shared = globalThis as typeof globalThis & { paydesk?: Connections };

/** Ends the connections that this process has opened. Loads no module for that: a command may have opened none. */
export async function disconnect(): Promise<void> {
  if (!shared.paydesk) return;
  const { db, lookups, pool, counters } = shared.paydesk;
  await db.$disconnect();
  await lookups.end();
  for (const open of [pool, counters]) if (!open.ended) await open.end();
}
