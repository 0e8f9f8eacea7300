import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { connectionLimits } from "@/lib/core/connection-limits";
import { boundLockWaits, runWhenUnlocked } from "./migration-locks";

/** The project's root: one level above this file, both as source (server/) and as bundle (dist/). */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

const migrationsDir = join(projectRoot, "prisma", "migrations");

/** The advisory lock of migrations: an arbitrary number, unique in this database. */
export const migrationLock = 7_236_970_211;

/**
 * The 21 migrations that the initial one replaces: the first name, and the SHA-256 of all lines "name checksum". A database
 * that applied exactly these has the schema of the initial migration.
 */
const squashed = {
  first: "20261121000000_initial",
  digest: "d4de39cdf808453a5cb69fdfbf0f68f2acb10b673d28ef9d41fea57673bce736",
  lastCommit: "eae6017",
};

/** As Prisma's CLI creates it, so that `prisma migrate deploy` and `prisma migrate status` work on the same database. */
export const historyTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export function readMigrations(dir = migrationsDir): Migration[] {
  return readdirSync(dir)
    .filter((name) => existsSync(join(dir, name, "migration.sql")))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(dir, name, "migration.sql"), "utf8");
      return { name, sql, checksum: sha256(sql) };
    });
}

/**
 * Applies the pending migrations, like `prisma migrate deploy`. Any number of processes may call it at once: one applies
 * them, the others wait. Waits for a backup, and for any other long transaction, without a lock.
 * @param dir the folder of migrations, each a folder with a migration.sql
 * @returns the names of the migrations that it applied
 * @throws Error when a migration fails, was changed after it was applied, or comes from a newer version
 */
export async function migrate(url: string, dir = migrationsDir): Promise<string[]> {
  const client = new Client({
    connectionString: url,
    application_name: "paydesk-migrate",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The database cannot be reached: ${error.message || error.code}`);
  });
  try {
    // If this process is killed, PostgreSQL notices within a second, rolls back and releases the lock. On Windows, it notices
    // when the statement ends.
    await client.query("SET client_connection_check_interval = '1s'").catch(() => undefined);
    // The role may have limits (server/role-limits.ts).
    for (const limit of Object.keys(connectionLimits)) await client.query(`SET ${limit} = 0`);
    // The same connection holds the lock and does the work, so they end together.
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    // A role that may not create tables finds nothing to do where another process has migrated.
    const { rows } = await client.query<{ fresh: boolean }>(
      "SELECT to_regclass('_prisma_migrations') IS NULL AS fresh",
    );
    if (rows[0]?.fresh) await client.query(historyTable);
    const pending = await findPending(client, readMigrations(dir));
    for (const migration of pending)
      await runWhenUnlocked(client, migration.name, () => applyInTransaction(client, migration));
    await migrateJobs(url);
    return pending.map(({ name }) => name);
  } catch (error) {
    const { cause = error } = error as Error;
    if ((cause as { code?: string }).code !== "42501") throw error;
    throw new Error(
      `The database has to be migrated, and this role may not: ${(error as Error).message}. ` +
        "Set DATABASE_MIGRATE_URL to the address of the role that owns the tables.",
    );
  } finally {
    await client.end();
  }
}

/** Creates or migrates the queue's schema, which is graphile-worker's own. */
export async function migrateJobs(url: string): Promise<void> {
  const { migrateQueue } = await import("./queue-schema"); // with graphile-worker, which most commands do not need
  await migrateQueue(url);
}

/** The names of the migrations that `migrate` would apply. Changes nothing. @throws Error as `migrate` does */
export async function pendingMigrations(url: string, dir = migrationsDir): Promise<string[]> {
  const client = new Client({ connectionString: url, application_name: "paydesk-pending" });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect();
  try {
    const [applied, known] = [await appliedTo(client), readMigrations(dir)];
    return missing(applied, known).map(({ name }) => name);
  } finally {
    await client.end();
  }
}

export type Applied = Pick<Migration, "name" | "checksum">;

async function appliedTo(client: Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

async function findPending(client: Client, known: Migration[]): Promise<Migration[]> {
  const rows = await appliedTo(client);
  const [initial, ...later] = known;
  if (initial && rows[0]?.name === squashed.first) {
    await adopt(client, initial, rows);
    return later;
  }
  return missing(rows, known);
}

/** Those that are not applied. @throws Error when an applied migration has changed, or is not known here */
export function missing(rows: Applied[], known: Migration[]): Migration[] {
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const pending = known.filter(({ name }) => !applied.has(name));
  for (const { name, checksum } of known) {
    if (applied.has(name) && applied.get(name) !== checksum)
      throw new Error(`The migration ${name} was changed after this database had applied it. Restore the file.`);
    applied.delete(name);
  }
  if (applied.size > 0) {
    const names = [...applied.keys()].join(", ");
    throw new Error(`This database was already migrated by a newer version of Paydesk (${names}). Start that version.`);
  }
  return pending;
}

/** Records the initial migration as applied in a database that has the migrations it replaces. */
async function adopt(client: Client, initial: Migration, rows: { name: string; checksum: string }[]): Promise<void> {
  if (sha256(rows.map(({ name, checksum }) => `${name} ${checksum}\n`).join("")) !== squashed.digest)
    throw new Error(
      `This database was written by a version of Paydesk before commit ${squashed.lastCommit}. Start that commit once ` +
        "(git checkout, npm start), then this version.",
    );
  await inTransaction(client, async () => {
    await client.query("DELETE FROM _prisma_migrations");
    await record(client, initial);
  });
}

/** Applies a migration within the caller's transaction. */
export async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query(migration.sql);
  // A failed `prisma migrate deploy` leaves an unfinished row.
  await client.query("DELETE FROM _prisma_migrations WHERE migration_name = $1", [migration.name]);
  await record(client, migration);
}

async function applyInTransaction(client: Client, migration: Migration): Promise<void> {
  const work = async () => {
    await boundLockWaits(client);
    await apply(client, migration);
  };
  await inTransaction(client, work).catch((error: Error) => {
    throw new Error(`The migration ${migration.name} failed and was rolled back: ${error.message}`, { cause: error });
  });
}

const record = (client: Client, { name, checksum }: Migration) =>
  client.query(
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
     VALUES (gen_random_uuid(), $1, $2, clock_timestamp(), 1)`,
    [name, checksum],
  );

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await work();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined); // a lost connection has already rolled back
    throw error;
  }
}
