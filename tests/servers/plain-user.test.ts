import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeAll, expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { canEnter, serverAccount } from "@/server/postgres-binaries";
import { type Launched, launch, paydesk, paydeskWeb } from "@/tests/support/launch";
import { createDatabase } from "@/tests/support/postgres";

// Servers with an embedded database, started by root or by a plain user, whichever runs the tests.

/** The user that a server should run as. */
let expected: number | undefined;
const servers: Launched[] = [];
const dirs: string[] = [];

beforeAll(async () => {
  const account = await serverAccount();
  expected = account && (await canEnter(process.cwd(), account)) ? account.uid : process.getuid?.();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const dir of dirs.splice(0)) removeDataDir(dir);
});

function newDir(name = "data"): string {
  const dir = join(mkdtempSync(join(tmpdir(), "paydesk-user-")), name); // the folder above has mode 0700
  dirs.push(dir);
  return dir;
}

const start = (DATA_DIR: string) => startWith({ DATA_DIR });

async function startWith(settings: Record<string, string>, program = paydesk()) {
  let output = "";
  const server = await launch(settings, program, (text) => {
    output += text;
  });
  servers.push(server);
  const uid = Number(readFileSync(`/proc/${server.pid}/status`, "utf8").match(/^Uid:\s+(\d+)/m)?.[1]);
  return { server, uid, output: () => output };
}

it("goes on as a plain user, with a data directory of before: one role, made by root", async () => {
  const dir = mkdtempSync(join(tmpdir(), "paydesk-user-"));
  dirs.push(dir);
  writeFileSync(join(dir, "secret"), "s".repeat(43), { mode: 0o600 });
  const before = await ensurePostgres(dir);
  await migrate(before.ownerUrl);
  const owner = new Client(before.ownerUrl);
  await owner.connect();
  await owner.query("INSERT INTO business (id, name) VALUES (7, 'Bookshop'); DROP ROLE paydesk_app");
  await owner.end();
  await before.stop();

  const first = await start(dir);
  expect([first.uid, first.output()]).toEqual([expected, expect.not.stringContaining("runs as root")]);
  await first.server.kill();
  const again = await start(dir);
  expect(again.uid).toBe(expected);
  const { url } = await ensurePostgres(dir);
  const client = new Client(url);
  await client.connect();
  expect((await client.query("SELECT id, name FROM business")).rows).toEqual([{ id: 7, name: "Bookshop" }]);
  await expect(client.query("DELETE FROM posting")).rejects.toThrow("permission denied");
  await client.end();
});

it("starts twice side by side, in a new directory and below one that only its user can enter", async () => {
  const hidden = newDir();
  const open = mkdtempSync(join(tmpdir(), "paydesk-user-"));
  mkdirSync(hidden);
  dirs.push(open);
  const [first, second] = await Promise.all([start(open), start(hidden)]);
  expect(first.uid).toBe(expected);
  expect(second.uid).toBe(process.getuid?.());
  if (process.getuid?.() === 0) expect(second.output()).toContain("Paydesk runs as root: user");
  for (const { server } of [first, second]) expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

it.runIf(process.getuid?.() === 0)("stays root for a port of the metrics that only root may open", async () => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  const { uid, output } = await startWith({ ...settings, METRICS_PORT: "909" }, paydeskWeb);
  expect(uid).toBe(0);
  expect(output()).toContain("Paydesk runs as root: port 909 needs it");
  expect((await fetch("http://127.0.0.1:909/metrics")).status).toBe(200);
});
