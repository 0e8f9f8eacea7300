import { Prisma } from "@/lib/core/db";
import { env, required } from "@/lib/core/env";
import { firstIdAt, type IdPrefix } from "@/lib/core/id";
import { LimitedClient } from "@/lib/core/limited-client";
import { log } from "@/lib/core/log";

const dayMs = 24 * 3_600_000;

const batchSize = 2_000;

/** A run ends before the next hourly run, which continues. */
const maxRunMs = 50 * 60_000;

const ago = (ms: number): Date => new Date(Date.now() - ms);

/** By the system's clock, as ids have it: `created_at` is the business's, which a test clock moves. */
const madeBefore = (prefix: IdPrefix, days: number): Prisma.Sql =>
  Prisma.sql`id < ${firstIdAt(prefix, ago(days * dayMs))}`;

interface ExpiredRows {
  table:
    | "idempotency_key"
    | "session"
    | "rate_limit"
    | "password_reset"
    | "passkey_challenge"
    | "webhook_delivery"
    | "email"
    | "write_usage";
  where: Prisma.Sql;
  /** Then rows are deleted by id: by ctid, each would be looked for in every partition. */
  isPartitioned?: true;
  /** Rows of another table that go with them, by the column that has their id. */
  dependents?: { table: "webhook_attempt"; column: "delivery_id" };
}

/**
 * Rows past their retention (docs/operations.md) in tables without months; server/partitions.ts drops whole months of the others.
 * Live data that books show is kept: triggers refuse to delete events, payments and the audit log.
 */
const expiredRows = (): ExpiredRows[] => [
  // Holds payers' data (contract, section 6).
  { table: "idempotency_key", where: Prisma.sql`created_at < ${ago(dayMs)}` },
  { table: "session", where: Prisma.sql`expires_at < ${new Date()}` },
  { table: "rate_limit", where: Prisma.sql`expire < ${Date.now()}::bigint` },
  { table: "password_reset", where: Prisma.sql`expires_at < ${ago(30 * dayMs)}` },
  { table: "passkey_challenge", where: Prisma.sql`expires_at < ${new Date()}` },
  // Live deliveries and mails are in the same months, and are kept longer.
  {
    table: "webhook_delivery",
    where: Prisma.sql`NOT livemode AND status <> 'pending' AND ${madeBefore("whd", 90)}`,
    isPartitioned: true,
    dependents: { table: "webhook_attempt", column: "delivery_id" },
  },
  {
    table: "email",
    where: Prisma.sql`NOT livemode AND status <> 'queued' AND ${madeBefore("eml", 90)}`,
    isPartitioned: true,
  },
  { table: "write_usage", where: Prisma.sql`day < ${ago(60 * dayMs)}` },
];

/**
 * Commits do not wait for a synchronous standby, because locks are kept until the wait ends. What a failover loses, the next run
 * does again.
 */
export const localCommit = "SET synchronous_commit = local";

/** Deletes in batches, so that row locks are short. Skips locked rows: the next run deletes them. */
async function pruneTable(
  owner: LimitedClient,
  { table, where, isPartitioned, dependents }: ExpiredRows,
  until: number,
  stopping?: AbortSignal,
): Promise<void> {
  const name = Prisma.raw(table);
  const key = Prisma.raw(isPartitioned ? "id" : "ctid");
  const withDependents =
    dependents &&
    Prisma.sql`
    , deleted AS (
      DELETE FROM ${Prisma.raw(dependents.table)} WHERE ${Prisma.raw(dependents.column)} = ANY(ARRAY(SELECT id FROM expired)))`;
  while (Date.now() < until && !stopping?.aborted) {
    const { rowCount } = await owner.query(
      Prisma.sql`
      WITH expired AS (
        SELECT ${key} FROM ${name} WHERE ${where} LIMIT ${batchSize}::int FOR UPDATE SKIP LOCKED) ${withDependents ?? Prisma.empty}
      DELETE FROM ${name} WHERE ${key} = ANY(ARRAY(SELECT ${key} FROM expired))`,
    );
    if ((rowCount ?? 0) < batchSize) return;
  }
}

/**
 * Deletes all rows past their retention, as the owner of the tables: the role that serves requests may not delete most of them
 * (server/grants.ts). A failure in one table does not stop the others.
 */
export async function prune(stopping?: AbortSignal): Promise<void> {
  const until = Date.now() + maxRunMs;
  const owner = new LimitedClient({
    connectionString: env().DATABASE_MIGRATE_URL ?? required("DATABASE_URL"),
    application_name: "paydesk-prune",
    connectionTimeoutMillis: 10_000,
    lock_timeout: 2_000,
    statement_timeout: 10_000,
    keepAlive: true,
  });
  owner.on("error", () => undefined); // the query in progress fails, too
  await owner.connect();
  try {
    await owner.query(localCommit);
    for (const rows of expiredRows())
      await pruneTable(owner, rows, until, stopping).catch((error: unknown) =>
        log.warn({ err: error, table: rows.table }, "could not prune"),
      );
    // Removes jobs that used up their attempts. Their work has been queued again since.
    await owner.query(
      Prisma.sql`
      SELECT count(*) FROM graphile_worker.complete_jobs(ARRAY(
        SELECT id FROM graphile_worker.jobs
         WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < ${ago(dayMs)}))`,
    );
  } finally {
    await owner.end();
  }
}
