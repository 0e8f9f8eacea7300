import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { log } from "@/lib/core/log";

/**
 * A migration waits this long for a lock, and every request for the same table waits behind it. Longer than PostgreSQL's
 * deadlock_timeout of a second, after which it ends an autovacuum that is in the way.
 */
const lockTimeoutMs = 3_000;
const retryMs = 5_000;

const maxPollMs = 1_000;
const firstNoticeMs = 1_000;
const noticeMs = 60_000;

/** Its wait for a lock was too long, or would have been endless: a deadlock. */
const retriedLockErrors = ["55P03", "40P01"];

interface Holder {
  transaction: string;
  /** "paydesk-backup (process 4711)" */
  name: string;
}

/**
 * Other sessions' transactions that hold locks on tables, such as those of a backup. Every role may see these.
 * @param autovacuums whether they count, too. PostgreSQL ends one that is in the way, unless it prevents a wraparound
 */
async function lockHolders(client: Client, autovacuums = false): Promise<Holder[]> {
  const { rows } = await client.query<Holder>(
    `
    SELECT DISTINCT l.virtualtransaction AS transaction,
           CASE WHEN l.pid IS NULL THEN 'a prepared transaction'
                ELSE coalesce(nullif(a.application_name, ''), a.usename::text, 'an autovacuum') || ' (process ' || l.pid || ')'
           END AS name
      FROM pg_locks l JOIN pg_class c ON c.oid = l.relation LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'relation' AND l.granted AND c.relnamespace = 'public'::regnamespace
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND l.pid IS DISTINCT FROM pg_backend_pid() AND (l.pid IS NULL OR a.usesysid IS NOT NULL OR $1)`,
    [autovacuums],
  );
  return rows;
}

const namesOf = (holders: Holder[]): string => holders.map(({ name }) => name).join(", ");

/** Waits until the transactions that hold locks now have ended. Newer ones may hold some then. */
async function waitForTransactions(client: Client, migration: string, autovacuums: boolean): Promise<void> {
  let holders = await lockHolders(client, autovacuums);
  let noticeAt = performance.now() + firstNoticeMs;
  for (let pauseMs = 20; holders.length > 0; pauseMs = Math.min(2 * pauseMs, maxPollMs)) {
    if (performance.now() >= noticeAt) {
      log.warn(
        { migration, waitsFor: namesOf(holders) },
        "a migration waits until transactions that hold locks have ended",
      );
      noticeAt += noticeMs;
    }
    await sleep(pauseMs);
    const running = new Set((await lockHolders(client, autovacuums)).map(({ transaction }) => transaction));
    holders = holders.filter(({ transaction }) => running.has(transaction));
  }
}

/**
 * Runs a migration's transaction once the transactions that hold locks have ended, such as a backup's. Until then it holds no lock and
 * waits for none, so that requests go on. Repeats it if it then waits too long for a lock.
 * @param work begins with `boundLockWaits`, and rolls back when it fails
 */
export async function runWhenUnlocked(client: Client, migration: string, work: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    await waitForTransactions(client, migration, tries > 0);
    try {
      return await work();
    } catch (error) {
      const { cause = error } = error as Error;
      if (!retriedLockErrors.includes(String((cause as { code?: string }).code))) throw error;
      log.warn({ migration }, "a migration did not get a lock, was rolled back, and is tried again");
      await sleep(retryMs);
    }
  }
}

/** Limits how long the current transaction waits for a lock. */
export const boundLockWaits = (client: Client) => client.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);

/** @returns the transactions for which a running migration waits, empty if it waits for none; null if none runs */
export async function waitedFor(client: Client): Promise<string | null> {
  const migrating = "paydesk-migrate";
  const { rows } = await client.query<{ migrates: boolean }>(
    `
    SELECT EXISTS (SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name = $1) AS migrates`,
    [migrating],
  );
  if (!rows[0]?.migrates) return null;
  return namesOf((await lockHolders(client)).filter(({ name }) => !name.startsWith(migrating)));
}
