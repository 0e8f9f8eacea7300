import type { Client, Pool } from "pg";
import { log } from "./log";

/**
 * A commit that PostgreSQL has made, but that no synchronous standby has confirmed: a failover may lose it. The code is the
 * SQLSTATE "transaction resolution unknown", so it counts as a lost connection does (lib/core/database-error.ts).
 */
class CommitUnconfirmed extends Error {
  readonly code = "08007";
}

/** A write that was refused before it was sent to PostgreSQL. */
class StandbyAway extends Error {
  readonly code = "57P03";
}

/** pg's query in progress. Its types leave these properties out. */
interface ActiveQuery {
  text?: string;
  /** With it, the query fails when PostgreSQL is ready for the next one. */
  _canceledDueToError: Error | false;
  _result?: { command: string | null };
}

const activeQuery = (client: Client): ActiveQuery | null =>
  (client as Client & { _activeQuery: ActiveQuery | null })._activeQuery;

/** Whether the query in progress may be waiting for a standby: it has run but has not ended, or it is not a read. */
export function mayBeCommitting(client: Client): boolean {
  const active = activeQuery(client);
  return active !== null && (Boolean(active._result?.command) || !/^\s*(SELECT|WITH)\b/i.test(active.text ?? "SELECT"));
}

/** Statements that wait for a standby when they commit. Row locks are written, too. */
const writes = /\b(INSERT\s+INTO|UPDATE|DELETE\s+FROM|pg_logical_emit_message)\b/i;

/** Writes to PostgreSQL's write-ahead log only, so that the commit waits for the standby although no row changes. */
export const emptyWrite = "SELECT pg_logical_emit_message(true, 'paydesk', '')";

export type Standby = ReturnType<typeof watchStandby>;

/**
 * Fails commits that no synchronous standby has confirmed. PostgreSQL acknowledges them when their wait is cancelled, with a
 * WARNING. After such a commit, the standby counts as away: writes fail at once, instead of holding connections while they
 * wait, and reads go on. It is back when a new commit has been confirmed, because standbys confirm in the order of commits.
 * @param isConfirmed makes a commit, and says whether a standby confirmed it
 */
export function watchStandby(isConfirmed: () => Promise<boolean>) {
  let isAway = false;

  async function waitUntilConfirmed(): Promise<void> {
    if (isAway) return;
    isAway = true;
    log.warn("no standby confirms commits: writes are refused");
    while (!(await isConfirmed()));
    isAway = false;
    log.warn("a standby confirms commits again");
  }

  /** Makes a client's unconfirmed commits fail. */
  function failUnconfirmed(client: Client): void {
    client.on("notice", ({ routine }) => {
      const active = activeQuery(client);
      if (routine !== "SyncRepWaitForLSN" || !active) return;
      active._canceledDueToError = new CommitUnconfirmed("No standby has confirmed the commit.");
      void waitUntilConfirmed();
    });
  }

  return {
    failUnconfirmed,
    /**
     * Makes a connection or a pool refuse to write while the standby is away. A pool's own `query` closes the connection of a failed
     * query: if each refused write cost a new connection, PostgreSQL would have no time left for the standby's return.
     */
    refuseWrites(target: Client | Pool): void {
      const query = target.query.bind(target) as (...args: unknown[]) => unknown;
      target.query = ((...args: unknown[]) => {
        if (!isAway || !isWrite(args[0])) return query(...args);
        const error = new StandbyAway("No standby confirms commits.");
        const callback = args.find((argument) => typeof argument === "function");
        if (!callback) return Promise.reject(error);
        process.nextTick(callback, error);
      }) as Client["query"] & Pool["query"];
    },
  };
}

function isWrite(query: unknown): boolean {
  const text = typeof query === "string" ? query : (query as { text?: unknown } | null)?.text;
  return typeof text === "string" && writes.test(text);
}
