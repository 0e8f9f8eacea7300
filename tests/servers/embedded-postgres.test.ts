import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { startCommand } from "@/tests/support/command";
import { launch } from "@/tests/support/launch";
import { until } from "@/tests/support/receiver";

// A server and commands that use one embedded PostgreSQL at the same time.

const folder = mkdtempSync(join(tmpdir(), "paydesk-users-"));
const dataDir = join(folder, "data");
const own = { DATABASE_URL: "", DATABASE_MIGRATE_URL: "", APP_SECRET: "", DATA_DIR: dataDir, LOG_LEVEL: "silent" };
let ownerUrl: string;
/** What a server did that started in the new data directory. */
let firstStart: { status: number; leftToStart: boolean; code: number | string };

beforeAll(async () => {
  chmodSync(folder, 0o755); // as root, PostgreSQL's user must be able to enter
  const server = await launch({ DATA_DIR: dataDir });
  const { status } = await fetch(`${server.url}/api/payment-links`);
  const postgres = await ensurePostgres(dataDir);
  ({ ownerUrl } = postgres);
  firstStart = { status, leftToStart: postgres.started, code: await server.stop() };
});
afterAll(() => {
  removeDataDir(dataDir);
  rmSync(folder, { recursive: true });
});

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: ownerUrl });
  client.on("error", () => undefined);
  onTestFinished(() => client.end());
  await client.connect();
  return client;
}

const expectStopped = () => expect(connect()).rejects.toThrow(/\.s\.PGSQL\./);

/** Starts PostgreSQL with a doctor, which then waits for the answer of APP_URL. @returns ends it by a signal */
async function startDoctor() {
  const address = createServer().listen(0, "127.0.0.1");
  const waits = new Promise<void>((resolve) => {
    address.on("request", ({ url }, response) => (url === "/healthz" ? resolve() : response.end()));
  });
  await once(address, "listening");
  const url = `http://127.0.0.1:${(address.address() as AddressInfo).port}`;
  const doctor = startCommand("doctor", [], { ...own, APP_URL: url, STRIPE_API_URL: url });
  for (const output of [doctor.stdout, doctor.stderr]) output.resume();
  const exit = once(doctor, "exit").finally(() => address.close());
  await waits;
  return (signal: NodeJS.Signals) => {
    doctor.kill(signal);
    return exit;
  };
}

it("is started by a server in a new data directory, and stopped with it", async () => {
  expect(firstStart).toEqual({ status: 401, leftToStart: false, code: 0 });
  await expectStopped();
});

it("is left to a server that has begun to use it meanwhile, which stops it", async () => {
  const command = await ensurePostgres(dataDir);
  expect(command.started).toBe(true);
  const server = await launch({ DATA_DIR: dataDir });
  const { rows } = await (await connect()).query("SELECT pg_postmaster_start_time() AS at");
  await command.leave();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect((await (await connect()).query("SELECT pg_postmaster_start_time() AS at")).rows).toEqual(rows);
  expect(await server.stop()).toBe(0);
  await expectStopped();
});

it.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("is stopped by a command that %s ends", async (signal, code) => {
  const kill = await startDoctor();
  expect(await kill(signal)).toEqual([code, null]);
  await expectStopped();
});

it("a backup that waits for a lock ends at once when it is interrupted", async () => {
  const postgres = await ensurePostgres(dataDir);
  const holder = await connect();
  await holder.query("BEGIN; LOCK TABLE books_check");
  const to = mkdtempSync(join(folder, "backups-"));
  const backup = startCommand("backup", ["--to", to], own);
  for (const output of [backup.stdout, backup.stderr]) output.resume();
  const exit = once(backup, "exit");
  const waiting = "SELECT FROM pg_stat_activity WHERE application_name = 'paydesk-backup' AND wait_event_type = 'Lock'";
  await until("the backup waits for its locks", async () => {
    await holder.query("SELECT pg_stat_clear_snapshot()"); // a transaction sees the activity of its first look
    return (await holder.query(waiting)).rowCount === 1;
  });
  backup.kill("SIGTERM");
  expect(await exit).toEqual([143, null]);
  await postgres.leave();
  await expectStopped();
});
