import { Client, DatabaseError } from "pg";
import { reasonOf } from "@/server/doctor/finding";
import { connected } from "@/server/grants";
import {
  apply,
  historyTable,
  type Migration,
  migrateJobs,
  migrationLock,
  missing,
  readMigrations,
} from "@/server/migrate";
import { copySettings } from "./catalog";
import { dropEverything, loadArchive } from "./load";
import type { Archive } from "./read";

/** The connection was lost during COMMIT, so the restore may be done or not. */
export class UnknownOutcomeError extends Error {}

interface Target {
  /** The database, for the role that owns its tables. */
  ownerUrl: string;
  /** Replaces what the database has. */
  replace: boolean;
}

/**
 * Restores a backup in one transaction: a restore that fails leaves the database as it was. The schema is made by the
 * migrations that the backup had, then filled, then migrated forward. The result is held (server/hold.ts).
 * @returns the newer migrations, and the backup's tables that are not Paydesk's and were left out
 * @throws Error when the database is in use or not empty, or the backup comes from a newer version
 * @throws UnknownOutcomeError when PostgreSQL does not confirm the commit
 */
export async function restoreDatabase(
  archive: Archive,
  { ownerUrl, replace }: Target,
): Promise<{ migrated: string[]; foreign: string[] }> {
  const { before, after } = migrationsOf(archive);
  const client = new Client({
    connectionString: ownerUrl,
    application_name: "paydesk-restore",
    connectionTimeoutMillis: 10_000,
  });
  client.on("error", () => undefined); // a statement that runs fails as well
  await client.connect();
  try {
    // A server that starts meanwhile waits here.
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    await assertUnused(client);
    if (!replace) await assertEmpty(client);
    await migrateJobs(ownerUrl);
    await client.query("BEGIN");
    await client.query(copySettings);
    if (replace) await dropEverything(client);
    await client.query(historyTable);
    for (const migration of before) await apply(client, migration);
    const foreign = await loadArchive(client, archive);
    for (const migration of after) await apply(client, migration);
    await client.query("INSERT INTO database_restore (backup_at) VALUES ($1)", [archive.manifest.created_at]);
    await commit(client);
    return { migrated: after.map(({ name }) => name), foreign };
  } finally {
    await client.end();
  }
}

async function commit(client: Client): Promise<void> {
  try {
    await client.query("COMMIT");
  } catch (error) {
    // PostgreSQL has refused it, and not only ended the connection.
    if (error instanceof DatabaseError && !error.code?.startsWith("57P")) throw error;
    throw new UnknownOutcomeError(
      `The connection was lost while the restore was committed (${reasonOf(error)}), so the database has either the whole backup ` +
        "or what it had before. Restore again with --replace: that is right in both cases.",
    );
  }
}

/** Counts the restored rows, for PostgreSQL's planner. */
export const analyze = (ownerUrl: string) => connected(ownerUrl, (client) => client.query("ANALYZE"));

/** The migrations that the backup's database had, and the newer ones. */
function migrationsOf({ manifest }: Archive): { before: Migration[]; after: Migration[] } {
  const known = readMigrations();
  const unknown = manifest.migrations.filter(({ name }) => known.every((one) => one.name !== name));
  if (unknown.length > 0)
    throw new Error(
      `The backup was made by a newer version of Paydesk (${unknown.map(({ name }) => name).join(", ")}). Use that version.`,
    );
  const after = missing(manifest.migrations, known);
  return { before: known.filter((migration) => !after.includes(migration)), after };
}

async function assertUnused(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT DISTINCT coalesce(nullif(application_name, ''), usename::text) AS name FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
       AND coalesce(backend_type, 'client backend') = 'client backend'`);
  if (rows.length > 0)
    throw new Error(
      `The database is in use (${rows.map(({ name }) => name).join(", ")}). Stop every process of Paydesk, then try again.`,
    );
}

async function assertEmpty(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; tables: number }>(`
    SELECT current_database()::text AS name, count(*)::int AS tables FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')`);
  const [database] = rows;
  if (!database || database.tables > 0)
    throw new Error(
      `The database ${database?.name} is not empty. Restore into an empty one, or add --replace: then everything in it is deleted.`,
    );
}
