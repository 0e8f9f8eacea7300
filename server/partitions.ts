import { db, Prisma, queryRows } from "@/lib/core/db";
import { env, required } from "@/lib/core/env";
import { firstIdAt, type IdPrefix, timeOfFirstId } from "@/lib/core/id";
import { LimitedClient } from "@/lib/core/limited-client";
import { log } from "@/lib/core/log";
import { migrationLock } from "./migrate";
import { localCommit } from "./prune";

/** A table with a partition for each month (UTC) in which its rows' ids were made. Old months are dropped whole. */
interface MonthlyTable {
  name: "api_request" | "webhook_delivery" | "webhook_attempt" | "email";
  prefix: IdPrefix;
  /** How long rows are kept at least. */
  retentionDays: () => number;
  /** Rows that must not be dropped, whatever their age. */
  keeps?: string;
  /** Tables of its foreign keys that statements lock before it. */
  lockedBefore?: string;
}

export const monthlyTables: MonthlyTable[] = [
  { name: "api_request", prefix: "req", retentionDays: () => env().RETENTION_REQUESTS_DAYS },
  {
    name: "webhook_delivery",
    prefix: "whd",
    retentionDays: () => env().RETENTION_DELIVERIES_DAYS,
    keeps: "status = 'pending'",
    lockedBefore: "event, webhook_endpoint",
  },
  { name: "webhook_attempt", prefix: "wha", retentionDays: () => env().RETENTION_ATTEMPTS_DAYS },
  { name: "email", prefix: "eml", retentionDays: () => env().RETENTION_MAILS_DAYS, keeps: "status = 'queued'" },
];

const dayMs = 24 * 3_600_000;

/** The current month and the two after it have partitions. */
const monthsAhead = 3;

/** Short, because other statements on the table queue behind one that waits for its lock. */
const lockTimeoutMs = 250;
const lockTries = 8;
const lockPauseMs = 1_000;

/** Marks a partition that is detached to be dropped. Tables that an operator has detached do not have it. */
const expiredMark = "Expired: Paydesk drops this table";

/** The start of the month that comes `after` months after the month of `at`. */
export const monthStart = (at: Date, after = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + after));

/** "2026_12" */
const monthName = (at: Date): string => at.toISOString().slice(0, 7).replace("-", "_");

interface Partition {
  name: string;
  /** Null: no lower bound. */
  from: Date | null;
  /** Null: no upper bound. Each table has one such partition, the last, so that no row is refused. */
  to: Date | null;
  /** Whether an interrupted run has begun to detach it. */
  detaching: boolean;
}

const partitionsOf = (table: string): Prisma.Sql => Prisma.sql`
  SELECT c.relname::text AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds, i.inhdetachpending AS detaching
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = to_regclass(${table}) ORDER BY c.relname`;

function partitionOf({ bounds, ...row }: { name: string; bounds: string; detaching: boolean }): Partition {
  const [, from = "", to = ""] = /FROM \((.+)\) TO \((.+)\)/.exec(bounds) ?? [];
  const time = (bound: string) => (bound.startsWith("'") ? timeOfFirstId(bound.slice(1, -1)) : null);
  return { ...row, from: time(from), to: time(to) };
}

/** When the newest row of a partition may be dropped; null for the last partition. */
const expiryOf = ({ to }: Partition, { retentionDays }: MonthlyTable): Date | null =>
  to && new Date(to.getTime() + retentionDays() * dayMs);

const isExpired = (partition: Partition, table: MonthlyTable, now: Date): boolean => {
  const expiry = expiryOf(partition, table);
  return expiry !== null && expiry <= now;
};

interface PartitionState {
  /** Partitions whose newest row may be dropped, and since when. */
  expired: { name: string; expired: Date }[];
  /** From here on, all rows share the last partition. */
  madeUntil: Date;
  /** Whether the last partition has rows: their month had no partition when they were added. */
  late: boolean;
}

/** What the doctor reports of one table. */
export async function partitionState(table: MonthlyTable, now = new Date()): Promise<PartitionState | null> {
  const partitions = (await queryRows<Parameters<typeof partitionOf>[0]>(db, partitionsOf(table.name))).map(
    partitionOf,
  );
  const madeUntil = partitions.find(({ to }) => to === null)?.from;
  if (!madeUntil) return null;
  const rows = await queryRows(
    db,
    Prisma.sql`SELECT FROM ${Prisma.raw(table.name)} WHERE id >= ${firstIdAt(table.prefix, madeUntil)} LIMIT 1`,
  );
  const expired = partitions.flatMap((one) => {
    const since = expiryOf(one, table);
    return since && since <= now ? [{ name: one.name, expired: since }] : [];
  });
  return { expired, madeUntil, late: rows.length > 0 };
}

async function partitions(owner: LimitedClient, table: MonthlyTable): Promise<Partition[]> {
  const { rows } = await owner.query<Parameters<typeof partitionOf>[0]>(partitionsOf(table.name));
  return rows.map(partitionOf);
}

/** Runs statements in one transaction. Its locks have the order of other statements': otherwise both could wait for each other. */
function together(owner: LimitedClient, { lockedBefore }: MonthlyTable, statements: string[]) {
  const locks = lockedBefore ? [`LOCK TABLE ${lockedBefore} IN ACCESS EXCLUSIVE MODE`] : [];
  return owner.query(["BEGIN", ...locks, ...statements, "COMMIT"].join("; ")).catch(async (error: unknown) => {
    await owner.query("ROLLBACK");
    throw error;
  });
}

/** Makes the partitions of the months ahead. Each lock is held for milliseconds. */
async function makeMonths(owner: LimitedClient, table: MonthlyTable, now: Date): Promise<void> {
  const { name, prefix } = table;
  const last = (await partitions(owner, table)).find(({ to }) => to === null);
  const until = monthStart(now, monthsAhead);
  if (!last?.from || last.from >= until) return;
  const bound = (at: Date) => `'${firstIdAt(prefix, at)}'`;
  const month = (from: Date) =>
    `CREATE TABLE ${name}_${monthName(from)} PARTITION OF ${name} FOR VALUES FROM (${bound(from)}) TO (${bound(monthStart(from, 1))})`;
  const months = (from: Date): string[] => {
    const made: string[] = [];
    for (let at = from; at < until; at = monthStart(at, 1)) made.push(month(at));
    return made;
  };
  const detach = `ALTER TABLE ${name} DETACH PARTITION ${last.name}`;
  const { rows } = await owner.query<{ newest: string | null }>(`SELECT max(id) AS newest FROM ${last.name}`);
  const newest = rows[0]?.newest;
  if (!newest) {
    // A row may have come in since: then ATTACH refuses, and the next try finds it.
    const attach = `ALTER TABLE ${name} ATTACH PARTITION ${last.name} FOR VALUES FROM (${bound(until)}) TO (MAXVALUE)`;
    await together(owner, table, [detach, ...months(last.from), attach]);
    return;
  }
  // The last partition has rows: it gets an upper bound in the future, and a new one follows it.
  const end = monthStart(new Date(now.getTime() + 7 * dayMs), 1);
  if (newest >= firstIdAt(prefix, end))
    throw new Error(`The row ${newest} of ${name} was made after ${end.toISOString()}: a clock was wrong. Delete it.`);
  const check = `${last.name}_bounds`;
  const closed = `${name}_to_${monthName(end)}`;
  await owner.query(`
    ALTER TABLE ${last.name} DROP CONSTRAINT IF EXISTS ${check},
      ADD CONSTRAINT ${check} CHECK (id >= ${bound(last.from)} AND id < ${bound(end)}) NOT VALID`);
  // Reads the partition while rows are written, so that ATTACH need not.
  await owner.query(`ALTER TABLE ${last.name} VALIDATE CONSTRAINT ${check}`).catch(async (error: unknown) => {
    await owner.query(`ALTER TABLE ${last.name} DROP CONSTRAINT ${check}`);
    throw error;
  });
  await together(owner, table, [
    detach,
    `ALTER TABLE ${last.name} RENAME TO ${closed}`,
    `ALTER TABLE ${name} ATTACH PARTITION ${closed} FOR VALUES FROM (${bound(last.from)}) TO (${bound(end)})`,
    `ALTER TABLE ${closed} DROP CONSTRAINT ${check}`,
    ...months(end),
    `CREATE TABLE ${name}_later PARTITION OF ${name} FOR VALUES FROM (${bound(until)}) TO (MAXVALUE)`,
  ]);
}

/** Drops the partitions whose rows are all past their retention. Readers and writers of the table go on meanwhile. */
async function dropExpired(owner: LimitedClient, table: MonthlyTable, now: Date): Promise<void> {
  const { name, keeps } = table;
  for (const partition of await partitions(owner, table)) {
    if (!partition.detaching) {
      if (!isExpired(partition, table, now)) continue;
      if (keeps) {
        const { rows } = await owner.query(`SELECT FROM ${partition.name} WHERE ${keeps} LIMIT 1`);
        if (rows.length > 0) continue;
      }
      await owner.query(`COMMENT ON TABLE ${partition.name} IS '${expiredMark}'`);
    }
    const how = partition.detaching ? "FINALIZE" : "CONCURRENTLY";
    await owner.query(`ALTER TABLE ${name} DETACH PARTITION ${partition.name} ${how}`);
  }
  const { rows: detached } = await owner.query<{ name: string }>(
    Prisma.sql`
    SELECT relname::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
       AND starts_with(relname, ${`${name}_`}) AND obj_description(oid, 'pg_class') = ${expiredMark}`,
  );
  for (const partition of detached) {
    await owner.query(`DROP TABLE ${partition.name}`);
    log.info({ table: partition.name }, "dropped a month past its retention");
  }
}

/** Statistics of a table older than this are collected again. */
const statisticsMaxAgeMs = dayMs;

/**
 * Collects statistics of the whole table, which plans over several months use. PostgreSQL analyzes each partition by itself,
 * but never their table. Locked partitions are skipped.
 */
async function analyze(owner: LimitedClient, { name }: MonthlyTable, changed: boolean): Promise<void> {
  const { rows } = await owner.query<{ at: Date | null; only: boolean }>(
    Prisma.sql`
    SELECT pg_stat_get_last_analyze_time(${name}::regclass) AS at, current_setting('server_version_num')::int >= 180000 AS only`,
  );
  const [last] = rows;
  if (!changed && last?.at && last.at.getTime() > Date.now() - statisticsMaxAgeMs) return;
  // Before PostgreSQL 18, this also analyzes each partition.
  await owner.query(`ANALYZE (SKIP_LOCKED) ${last?.only ? "ONLY " : ""}${name}`);
}

/** Makes and drops one table's months. @returns the errors */
async function keepMonths(
  owner: LimitedClient,
  table: MonthlyTable,
  now: Date,
  stopping?: AbortSignal,
): Promise<string[]> {
  const failures: string[] = [];
  const attempt = (work: () => Promise<void>) =>
    untilUnlocked(work, stopping).catch((error: Error) => {
      failures.push(`${table.name}: ${error.message}`);
      log.warn({ err: error, table: table.name }, "partitions could not be made or dropped");
    });
  const names = async () => (await partitions(owner, table)).map(({ name }) => name).join();
  const before = await names();
  await attempt(() => makeMonths(owner, table, now));
  await attempt(() => dropExpired(owner, table, now));
  await attempt(async () => analyze(owner, table, (await names()) !== before));
  return failures;
}

/** Repeats work that fails because a table is locked. Its waits for locks are short, so that others do not wait behind it. */
async function untilUnlocked(work: () => Promise<void>, stopping?: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      const mayPass = code === "55P03" || code === "40P01" || code === "57014" || code === "23514";
      if (!mayPass || tries >= lockTries || stopping?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, lockPauseMs));
    }
  }
}

/**
 * Makes the partitions of the months ahead, and drops those past their retention, as the owner of the tables. Collects statistics
 * of the tables then, and once a day. Does nothing while another process does this, migrates or grants rights.
 * @returns the errors, by table; the next run tries again
 */
export async function keepPartitions(
  stopping?: AbortSignal,
  { url = env().DATABASE_MIGRATE_URL ?? required("DATABASE_URL"), now = new Date(), tables = monthlyTables } = {},
): Promise<string[]> {
  const owner = new LimitedClient({
    connectionString: url,
    application_name: "paydesk-partitions",
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockTimeoutMs,
    keepAlive: true,
  });
  owner.on("error", () => undefined); // the query in progress fails, too
  await owner.connect();
  const failures: string[] = [];
  try {
    await owner.query(localCommit);
    const { rows } = await owner.query<{ free: boolean }>(
      Prisma.sql`SELECT pg_try_advisory_lock(${migrationLock}::bigint) AS free`,
    );
    if (!rows[0]?.free) return [];
    for (const table of tables) failures.push(...(await keepMonths(owner, table, now, stopping)));
    return failures;
  } finally {
    await owner.end();
  }
}
