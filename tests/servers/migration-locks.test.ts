import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { log } from "@/lib/core/log";
import { migrate } from "@/server/migrate";
import { command } from "@/tests/support/command";
import { freePort, paydeskWeb } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

const name = "20990101000000_next";
const folder = mkdtempSync(join(tmpdir(), "paydesk-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The migrations with one more. */
function migrationsWith(sql: string): string {
  const dir = mkdtempSync(join(folder, "with-"));
  cpSync("prisma/migrations", dir, { recursive: true });
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, "migration.sql"), sql);
  return dir;
}

const open: Client[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of open.splice(0)) await client.end();
});

async function connect(connectionString: string, application_name = "test"): Promise<Client> {
  const client = new Client({ connectionString, application_name });
  await client.connect();
  open.push(client);
  return client;
}

it("waits for a backup and names it, and holds up no request meanwhile", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  const url = await createDatabase();
  const [backup, request] = [await connect(ownerUrl(url), "paydesk-backup"), await connect(url)];
  const { rows } = await backup
    .query("BEGIN; LOCK TABLE business IN ACCESS SHARE MODE; SELECT pg_backend_pid() AS pid")
    .then((results) => (results as unknown as { rows: { pid: number }[] }[])[2] ?? { rows: [] });
  const migrated = migrate(ownerUrl(url), migrationsWith("ALTER TABLE business ADD COLUMN next int"));
  const waitsFor = `paydesk-backup (process ${rows[0]?.pid})`;
  await expect
    .poll(() => warn.mock.calls)
    .toContainEqual([{ migration: name, waitsFor }, expect.stringMatching(/waits until/)]);
  // A migration that waited for its lock would let this wait, too.
  await request.query("SET lock_timeout = 50");
  for (let n = 0; n < 20; n++) await request.query("SELECT FROM business");
  await backup.query("COMMIT");
  expect(await migrated).toEqual([name]);
  await request.query("SELECT next FROM business");
});

it("rolls back and begins again if a transaction takes a lock after the migration has begun", async () => {
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  const url = await createDatabase();
  const owner = await connect(ownerUrl(url));
  // A sequence keeps what it has counted when a transaction is rolled back.
  await owner.query("CREATE SCHEMA other; CREATE SEQUENCE other.begun; CREATE TABLE other.gate ()");
  await owner.query("BEGIN; LOCK TABLE other.gate");
  const sql = "SELECT nextval('other.begun'); LOCK TABLE other.gate; ALTER TABLE business ADD COLUMN next int";
  const migrated = migrate(ownerUrl(url), migrationsWith(sql));
  const begun = async () =>
    Number((await owner.query("SELECT last_value FROM other.begun WHERE is_called")).rows[0]?.last_value);
  await expect.poll(begun).toBe(1);
  const late = await connect(url, "report");
  await late.query("BEGIN; SELECT FROM business");
  await owner.query("COMMIT");
  await expect
    .poll(() => warn.mock.calls)
    .toContainEqual([{ migration: name }, expect.stringMatching(/did not get a lock/)]);
  await late.query("COMMIT");
  expect(await migrated).toEqual([name]);
  expect(await begun()).toBeGreaterThan(1);
});

const newest = "(SELECT max(migration_name) FROM _prisma_migrations)";

it("ends a start that waits for a transaction at SIGTERM, and leaves the migration to the next one", async () => {
  const url = await createDatabase();
  const owner = ownerUrl(url);
  const [backup, observer] = [await connect(owner, "paydesk-backup"), await connect(owner)];
  await observer.query(`DELETE FROM _prisma_migrations WHERE migration_name = ${newest}`);
  const history = async () => (await observer.query("SELECT migration_name FROM _prisma_migrations ORDER BY 1")).rows;
  const before = await history();
  await backup.query("BEGIN; SELECT FROM business");
  const port = await freePort();
  const env = {
    ...{ NODE_ENV: "production" as const, PATH: process.env.PATH, LOG_LEVEL: "warn", DEMO: "0" },
    ...{ DATABASE_URL: url, DATABASE_MIGRATE_URL: owner, APP_SECRET: "x".repeat(32) },
    ...{ APP_URL: `http://localhost:${port}`, HOST: "127.0.0.1", PORT: String(port) },
  };
  const server = spawn(process.execPath, paydeskWeb(port), { env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    let printed = "";
    server.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toContain("a migration waits until");
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]); // the transaction is still open
  } finally {
    server.kill("SIGKILL");
  }
  const migrating = `
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'paydesk-migrate'`;
  await expect.poll(async () => (await observer.query(migrating)).rowCount).toBe(0);
  expect(await history()).toEqual(before);
});

it("lets the doctor name the transactions for which a migration waits", async () => {
  const url = await createDatabase();
  const owner = ownerUrl(url);
  const [backup, applied] = [await connect(owner, "paydesk-backup"), await connect(owner)];
  await applied.query(`DELETE FROM _prisma_migrations WHERE migration_name = ${newest}`);
  const schema = async () => {
    const env = { DATABASE_URL: url, APP_SECRET: "x".repeat(32), LOG_LEVEL: "silent" };
    const { stdout } = await command("doctor", ["--json"], { env });
    const found = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { about: string; says: string; todo: string });
    return found.find(({ about }) => about === "schema");
  };
  await backup.query("BEGIN; SELECT FROM business");
  expect(await schema()).toMatchObject({
    says: expect.stringMatching(/^Not yet applied: /),
    todo: expect.stringMatching(/^Start Paydesk/),
  });
  await connect(owner, "paydesk-migrate");
  expect(await schema()).toMatchObject({
    todo: expect.stringMatching(/^A process is applying them\. .*paydesk-backup \(process \d+\)/),
  });
});
