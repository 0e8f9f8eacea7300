import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { migrate } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";

const template = "paydesk_template";

/**
 * Nothing in this cluster outlives the tests, so it need not survive a power cut. Tests that kill one of our servers do
 * not need that; tests that kill PostgreSQL itself start one of their own.
 */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "500" };

const databaseUrl = (url: string, database: string) => url.replace(/\/\w+(?=\?|$)/, `/${database}`);

async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A directory that PostgreSQL's user may enter when the tests run as root. */
export function makeDataDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dir, 0o755);
  return dir;
}

/**
 * Starts one PostgreSQL for a whole run, with a migrated template database, and puts its address into TEST_POSTGRES.
 * Where an outer process has done that already, uses the same.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  if (process.env.TEST_POSTGRES) return async () => undefined;
  const dataDir = makeDataDir();
  let postgres = await ensurePostgres(dataDir);
  const stop = async () => {
    delete process.env.TEST_POSTGRES;
    await postgres.stop();
    removeDataDir(dataDir);
  };
  try {
    const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
    await execute(postgres.url, ...changes, `CREATE DATABASE ${template}`);
    await postgres.stop();
    postgres = await ensurePostgres(dataDir);
    await migrate(databaseUrl(postgres.url, template));
    process.env.TEST_POSTGRES = postgres.url;
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database of its own on the shared PostgreSQL: migrated, or empty. It goes when PostgreSQL does. Returns its address. */
export async function createDatabase({ empty = false } = {}): Promise<string> {
  const server = process.env.TEST_POSTGRES;
  if (!server) throw new Error("TEST_POSTGRES is missing: run the tests through npm test or vitest's projects");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${empty ? "template0" : template}`);
  return databaseUrl(server, name);
}
