import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Client } from "pg";
import { afterAll, expect, it } from "vitest";
import { createDatabase } from "@/tests/support/postgres";

const ending: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ending.toReversed()) await end();
});

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  ending.push(() => client.end());
  return client;
}

/** An empty database. @returns its address, and what asks it */
async function makeDatabase() {
  const url = await createDatabase({ empty: true });
  const client = await connect(url);
  return { url, rows: async (sql: string) => (await client.query(sql)).rows };
}

const unfinished = "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL";
const rolledBack = "SELECT migration_name FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL";
const applied = "SELECT migration_name AS name FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY 1";
const ofMigrations =
  "FROM pg_stat_activity WHERE application_name = 'paydesk-migration' AND datname = current_database()";
const atWork = `SELECT pid ${ofMigrations} AND state <> 'idle'`;
const standing = `SELECT pid ${ofMigrations} AND wait_event_type = 'Lock'`;

/** A process that migrates, and prints what it has applied: each starts an engine, of which a process can have one. */
function start(url: string): ChildProcess {
  const script =
    "import('./server/migrate.ts').then(async ({ migrate }) => console.log(JSON.stringify(await migrate(process.env.DATABASE_URL))))";
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ["--import", "tsx", "--eval", script], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  ending.push(() => child.kill("SIGKILL"));
  return child;
}

async function migrate(url: string): Promise<string[]> {
  const child = start(url);
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return JSON.parse(printed);
}

/**
 * A process that migrates and is killed while one of its migrations waits for a lock, in its middle.
 * @returns lets go of what that migration waits for
 */
async function killInTheMiddle({
  url,
  rows,
}: Awaited<ReturnType<typeof makeDatabase>>): Promise<() => Promise<unknown>> {
  const child = start(url);
  // Held as soon as it is there, so that the next migration of the table stands still. A transaction looks at who is at
  // work only once, so it has a connection of its own.
  const there = "SELECT to_regclass('business') AS there";
  await expect.poll(() => rows(there), { timeout: 30_000, interval: 5 }).toEqual([{ there: "business" }]);
  const holder = await connect(url);
  await holder.query("BEGIN");
  await holder.query("LOCK TABLE business IN ACCESS SHARE MODE");
  await expect.poll(() => rows(standing), { timeout: 30_000 }).toHaveLength(1);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await rows(unfinished)).toHaveLength(1);
  return () => holder.query("COMMIT");
}

const all = readdirSync("prisma/migrations")
  .filter((name) => /^\d/.test(name))
  .sort()
  .map((name) => ({ name }));

it("goes on after a process that was killed in the middle of a migration, and ends what it left at work", async () => {
  const database = await makeDatabase();
  const { url, rows } = database;
  const letGo = await killInTheMiddle(database);
  const [orphan] = await rows(standing); // the database goes on without whoever asked
  expect(orphan).toBeDefined();
  const again = migrate(url);
  // Its own, at the same place.
  await expect.poll(() => rows(standing), { timeout: 30_000 }).toEqual([{ pid: expect.not.toBeOneOf([orphan.pid]) }]);
  await letGo();
  expect((await again).length).toBeGreaterThan(0);
  expect(await rows(unfinished)).toEqual([]);
  expect(await rows(applied)).toEqual(all);
  expect(await rows(rolledBack)).toHaveLength(1);
  expect(await migrate(url)).toEqual([]);
}, 120_000);

it("takes for done what the database has done for a process that was killed meanwhile", async () => {
  const database = await makeDatabase();
  const { url, rows } = database;
  const letGo = await killInTheMiddle(database);
  await letGo();
  await expect.poll(() => rows(atWork), { timeout: 30_000 }).toEqual([]);
  expect(await rows(unfinished)).toEqual([]);
  const before = await rows(applied);
  expect(await migrate(url)).toHaveLength(all.length - before.length);
  expect(await rows(applied)).toEqual(all);
  expect(await rows(rolledBack)).toEqual([]);
}, 120_000);
