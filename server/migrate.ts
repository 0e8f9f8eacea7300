import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import { Logger, runMigrations as migrateQueue } from "graphile-worker";
import { Client } from "pg";

const require = createRequire(import.meta.url);

/** The project's root: this file lies one level below it, as source (server/) and as bundle (dist/). */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

const migrationsDir = join(projectRoot, "prisma", "migrations");
const noFilter = { externalTables: [], externalEnums: [] };
/** Any number serves, as long as nothing else in this database uses it. */
const migrationLock = 7_236_970_211;

/** The connections that migrations run on, by the name that the database has of them. */
const working = "paydesk-migration";
/** And the connection that holds, or waits for, the lock. */
const waiting = "paydesk-migrate";

/**
 * Prisma's adapter, except that a script goes to the server whole: split at its semicolons, a function body breaks. And a
 * migration says within its own transaction that it is done, so that a process which is killed leaves no doubt about it.
 */
function adapterFor(url: string) {
  const factory = new PrismaPg({ connectionString: url, max: 2, application_name: working, idleTimeoutMillis: 100 });
  const names = new Map(readMigrations().map(({ name, sql }) => [sql, name]));
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (sql) => {
      const name = names.get(sql);
      const whole = name ? `${sql};\n${finish(name)}` : sql;
      await adapter.executeRaw({ sql: whole, args: [], argTypes: [] });
    };
    return adapter;
  };
  return factory;
}

const finish = (name: string): string =>
  `UPDATE _prisma_migrations SET finished_at = now()
    WHERE migration_name = '${name}' AND finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * Prisma's schema engine as WebAssembly, so that nothing has to be downloaded. Connects at first need of a database.
 * @param url the database; none is contacted for a diff between two schemas
 */
export async function schemaEngine(url: string): Promise<SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = join(dirname(require.resolve("@prisma/schema-engine-wasm")), "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(wasm), {
    "./schema_engine_bg.js": bindings as unknown as WebAssembly.ModuleImports,
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start === "function") start();
  return bindings.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapterFor(url)),
  );
}

function readMigrations(): { name: string; sql: string; checksum: string }[] {
  return readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(migrationsDir, entry.name, "migration.sql")))
    .map(({ name }) => {
      const sql = readFileSync(join(migrationsDir, name, "migration.sql"), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function migrationList(): MigrationList {
  const lock = join(migrationsDir, "migration_lock.toml");
  return {
    baseDir: migrationsDir,
    lockfile: { path: basename(lock), content: existsSync(lock) ? readFileSync(lock, "utf8") : null },
    shadowDbInitScript: "",
    migrationDirectories: readMigrations().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: "migration.sql", content: { tag: "ok", value: sql } },
    })),
  };
}

/** The names still to apply. Asked with one query, because nearly every start has nothing to do. */
async function pending(client: Client): Promise<string[]> {
  const known = readMigrations();
  const { rows: table } = await client.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there");
  if (!table[0].there) return known.map(({ name }) => name);
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations
     WHERE rolled_back_at IS NULL`,
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row]));
  if (rows.some((row) => !row.finished)) {
    await endOrphans(client);
    await markRolledBack(client);
    return pending(client);
  }
  for (const { name, checksum } of known) {
    const row = applied.get(name);
    if (row && row.checksum !== checksum)
      throw new Error(`The migration ${name} was changed after this database had applied it. Restore the file.`);
    applied.delete(name);
  }
  if (applied.size > 0) {
    const names = [...applied.keys()].join(", ");
    throw new Error(`This database was already migrated by a newer version of Paydesk (${names}). Start that version.`);
  }
  const done = new Set(rows.map((row) => row.migration_name));
  return known.map(({ name }) => name).filter((name) => !done.has(name));
}

/**
 * Waits until nothing is left of a process that was killed in the middle of a migration: its connection goes on until it
 * wants to answer. Whoever calls holds the lock, so nobody else is at work.
 * @throws Error when it does not end within a minute
 */
async function endOrphans(client: Client): Promise<void> {
  for (let waited = 0; waited < 600; waited++) {
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name IN ($1, $2) AND datname = current_database() AND pid <> pg_backend_pid()
         AND state IS DISTINCT FROM 'idle' AND wait_event IS DISTINCT FROM 'advisory'`,
      [working, waiting], // versions before worked and waited under one name; who waits for the lock is no orphan
    );
    if (rowCount === 0) return;
    await setTimeout(100);
  }
  throw new Error("A migration of a process that has ended is still at work in the database. End it, and start again.");
}

/** A migration runs as one transaction, so one that failed has left nothing and may be tried again. */
async function markRolledBack(client: Client): Promise<void> {
  await client.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL",
  );
}

/**
 * Brings the database up to prisma/migrations, as `prisma migrate deploy` would, and says what was applied. Any number
 * of processes may call it at once: one works, the others wait.
 * @throws Error when a migration fails, was changed after it was applied, or comes from a newer version
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new Client({
    connectionString: url,
    application_name: waiting,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect().catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The database cannot be reached: ${error.message || error.code}`);
  });
  try {
    // Before anything is read: a migration that somebody else is at looks like one that failed halfway.
    await client.query("SELECT pg_advisory_lock($1)", [migrationLock]);
    const applied = (await pending(client)).length > 0 ? await apply(client, url) : [];
    // The job queue keeps its tables in a schema of its own, and their versions too.
    await migrateQueue({ connectionString: url, logger: new Logger(() => () => undefined) });
    return applied;
  } finally {
    await client.end();
  }
}

async function apply(client: Client, url: string): Promise<string[]> {
  const engine = await schemaEngine(url);
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: migrationList(),
      filters: noFilter,
    });
    return appliedMigrationNames;
  } catch (error) {
    await endOrphans(client); // its connection may be lost rather than its work
    await markRolledBack(client);
    throw error;
  } finally {
    engine.free();
  }
}
