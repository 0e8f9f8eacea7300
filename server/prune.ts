import { db, Prisma, queryRows } from "@/lib/core/db";
import { log } from "@/lib/core/log";

const hour = 3_600_000;
const day = 24 * hour;

/** So many rows at once, and so long in one run: what is left is for the next, an hour after this one began. */
const batch = 2_000;
const longest = 50 * 60_000;

const ago = (ms: number): Date => new Date(Date.now() - ms);

interface Old {
  table:
    | "idempotency_key"
    | "session"
    | "rate_limit"
    | "password_reset"
    | "api_request"
    | "webhook_attempt"
    | "webhook_delivery"
    | "email";
  where: Prisma.Sql;
}

/**
 * What is kept for a time only (docs/operations.md). Nothing of live mode that books or timelines show: events, payments and
 * the audit log are never deleted (triggers refuse it), live mails and deliveries are kept.
 */
const old = (): Old[] => [
  // It holds a payer's data (contract, section 6).
  { table: "idempotency_key", where: Prisma.sql`created_at < ${ago(day)}` },
  { table: "session", where: Prisma.sql`expires_at < ${new Date()}` },
  { table: "rate_limit", where: Prisma.sql`expire < ${Date.now()}::bigint` },
  { table: "password_reset", where: Prisma.sql`expires_at < ${ago(30 * day)}` },
  { table: "api_request", where: Prisma.sql`created_at < ${ago(7 * day)}` },
  { table: "webhook_attempt", where: Prisma.sql`created_at < ${ago(30 * day)}` },
  // With its attempts.
  {
    table: "webhook_delivery",
    where: Prisma.sql`NOT livemode AND status <> 'pending' AND created_at < ${ago(90 * day)}`,
  },
  { table: "email", where: Prisma.sql`NOT livemode AND status <> 'queued' AND created_at < ${ago(90 * day)}` },
];

/** Batch by batch, so that nobody waits long for a row; rows that somebody has at the moment are left for the next run. */
async function remove({ table, where }: Old, until: number, stopping?: AbortSignal): Promise<void> {
  const name = Prisma.raw(table);
  while (Date.now() < until && !stopping?.aborted) {
    const [deleted] = await queryRows<{ count: number }>(
      db,
      Prisma.sql`
      WITH old AS MATERIALIZED (SELECT ctid FROM ${name} WHERE ${where} LIMIT ${batch}::int FOR UPDATE SKIP LOCKED),
           gone AS (DELETE FROM ${name} USING old WHERE ${name}.ctid = old.ctid RETURNING 1)
      SELECT count(*)::int AS count FROM gone`,
    );
    if ((deleted?.count ?? 0) < batch) return;
  }
}

/** Deletes what has been kept long enough. One kind that cannot be deleted now does not keep the others. */
export async function forget(stopping?: AbortSignal): Promise<void> {
  const until = Date.now() + longest;
  for (const rows of old())
    await remove(rows, until, stopping).catch((error: unknown) =>
      log.warn({ err: error, table: rows.table }, "could not delete what is old"),
    );
  // Given up long ago; what they were to do has been found due again since.
  await queryRows(
    db,
    Prisma.sql`
    SELECT count(*) FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < ${ago(day)}))`,
  );
}
