import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { mayBeCommitting } from "./standby";

const tickMs = 500;

interface Watched {
  client: Client;
  stream: Socket;
  limitMs: number;
  bytesRead: number;
  /** Ticks at which a query has waited without a byte. A stalled process, which has fewer, is not a silent server. */
  silentTicks: number;
  /** performance.now() when bytes last came. */
  lastByteAt: number;
}

export interface SilenceWatch {
  /**
   * Watches a connected client until it ends.
   * @param limitMs must be longer than any of its queries takes until the first byte of the answer
   */
  add(client: Client, limitMs: number): void;
  /** For how long queries have waited while no connection has received a byte; about 0 if no query waits. */
  allSilentMs(): number;
}

/**
 * Closes each connection on which a query waits and no byte comes for `limitMs`, so that its queries fail. Then tries new
 * connections until PostgreSQL answers on one, and closes all that have been silent as long as the first, idle ones too: the
 * network has lost them without a sign. Otherwise the next request on each of them would wait for `limitMs`, too. Keeps those
 * that PostgreSQL works for: their statements only take long.
 *
 * One timer for all connections, because pg's `query_timeout` starts a timer per query, which keeps the rows of the query in
 * memory for longer. That cost a list a quarter of its CPU time (docs/performance.md).
 * @param busyBackends the process ids of connections that PostgreSQL works for, asked on a new connection; null without an answer
 * @param isWaiting whether requests wait for a connection
 * @param commits its `cancelCommitWaits` is called when a commit has waited for `limitMs`
 */
export function watchSilence(
  busyBackends: () => Promise<ReadonlySet<number> | null>,
  isWaiting = () => false,
  commits?: { limitMs: number; cancelCommitWaits: () => Promise<unknown> },
): SilenceWatch {
  const connections = new Set<Watched>();
  let allSilentSince = performance.now();

  let silentSince: number | undefined;
  let isCancelling = false;

  async function cancelCommitWaits(): Promise<void> {
    isCancelling = true;
    await commits?.cancelCommitWaits();
    isCancelling = false;
  }

  async function closeLost({ stream, limitMs }: Watched): Promise<void> {
    stream.destroy();
    const isFirst = silentSince === undefined;
    silentSince = performance.now() - limitMs + 2 * tickMs; // ticks are late by up to one
    if (!isFirst) return;
    let busy = await busyBackends();
    for (; busy === null; busy = await busyBackends()) await sleep(tickMs, undefined, { ref: false });
    for (const { client, stream, bytesRead, lastByteAt } of connections) {
      const { processID } = client as Client & { processID: number };
      if (lastByteAt <= silentSince && stream.bytesRead === bytesRead && !busy.has(processID)) stream.destroy();
    }
    silentSince = undefined;
  }

  /** Notes what came since the last tick. @returns whether a query waits */
  function updateAndCheckWaiting(one: Watched, now: number): boolean {
    const { readyForQuery } = one.client as Client & { readyForQuery: boolean };
    const { bytesRead } = one.stream;
    if (bytesRead !== one.bytesRead) one.lastByteAt = now;
    one.silentTicks = readyForQuery || bytesRead !== one.bytesRead ? 0 : one.silentTicks + 1;
    one.bytesRead = bytesRead;
    allSilentSince = Math.max(allSilentSince, one.lastByteAt);
    return !readyForQuery;
  }

  setInterval(() => {
    const now = performance.now();
    const waiting = [...connections].filter((one) => updateAndCheckWaiting(one, now));
    if (waiting.length === 0 && !isWaiting()) allSilentSince = now;
    // The query may have begun just before the first of these ticks.
    const isSilent = ({ silentTicks }: Watched, limitMs: number) => (silentTicks - 1) * tickMs >= limitMs;
    for (const one of waiting) if (isSilent(one, one.limitMs)) void closeLost(one);
    if (!commits || isCancelling) return;
    const { limitMs } = commits;
    if (waiting.some((one) => isSilent(one, limitMs) && mayBeCommitting(one.client))) void cancelCommitWaits();
  }, tickMs).unref();

  return {
    add: (client, limitMs) => {
      const stream = client.connection.stream as Socket;
      const one = {
        client,
        stream,
        limitMs,
        bytesRead: stream.bytesRead,
        silentTicks: 0,
        lastByteAt: performance.now(),
      };
      connections.add(one);
      stream.once("close", () => connections.delete(one));
    },
    allSilentMs: () => performance.now() - allSilentSince,
  };
}
