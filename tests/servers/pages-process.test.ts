import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { childrenOf } from "@/tests/support/children";
import { createMerchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { launch, paydeskWeb } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { until } from "@/tests/support/receiver";

// Next renders the dashboard's pages in a process of its own (server/pages.ts). Each test waits for a server of its own.

/** A page that cannot be shown now says so without a script. */
async function expectAway(reply: Response): Promise<void> {
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(reply.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
  const html = await reply.text();
  expect(html).toContain("<h1>Temporarily unavailable</h1>");
  expect(html).toContain('<a class="button plain" href="">Try again</a>');
  expect(html).not.toMatch(/<script|timeout|pg-pool/i);
}

it.concurrent("answers with 503 while pages wait in vain for a connection or a lock, and then shows them again", async ({
  expect,
}) => {
  const DATABASE_URL = await createDatabase();
  const settings = { DATABASE_URL, APP_SECRET: randomBytes(32).toString("base64url"), LOG_LEVEL: "error" };
  const server = await launch(settings, paydeskWeb);
  const locker = new Client({ connectionString: ownerUrl(DATABASE_URL) });
  const page = () => fetch(`${server.url}/reset/${"a".repeat(43)}`);
  try {
    await locker.connect();
    expect((await page()).status).toBe(404);
    await locker.query("BEGIN; LOCK TABLE password_reset");
    // More than the connections of the pages' process: the others wait for one.
    for (const reply of await Promise.all(Array.from({ length: 20 }, page))) await expectAway(reply);
    await locker.query("COMMIT");
    await expect.poll(async () => (await page()).status).toBe(404);
    process.kill((await onlyChildOf(server.pid)).pid, "SIGSTOP");
    expect(await server.stop(), "a server whose pages' process is stuck").toBe(0);
  } finally {
    await locker.end();
    await server.kill();
  }
});

/** A wrong process must not get the signals below. */
async function onlyChildOf(parent: number) {
  return until("one process of the pages", () => {
    const [child, ...others] = childrenOf(parent);
    return others.length === 0 && child;
  });
}

it.concurrent("starts with the first page, is replaced when it dies or is stuck, and ends with the server, also after SIGKILL", async ({
  expect,
}) => {
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  Object.assign(process.env, settings); // before the first query
  const server = await launch(settings, paydeskWeb);
  process.env.TEST_URL = server.url;
  const { key } = await createMerchant();
  const page = async () => (await fetch(`${server.url}/login`)).status;
  const api = async () => (await call("GET", "/payment-links", { key })).status;
  try {
    expect(await api()).toBe(200);
    expect(childrenOf(server.pid)).toEqual([]);

    // A request whose body does not come does not reach it: it would be ended for giving no answer.
    const { hostname, port } = new URL(server.url);
    const slow = connect(Number(port), hostname);
    slow.write(`POST /api/auth/signout HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 4\r\n\r\n`);
    await sleep(500);
    expect(childrenOf(server.pid)).toEqual([]);
    slow.write("a=bc");
    expect(String(await once(slow, "data"))).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
    slow.destroy();

    expect(await page()).toBe(200);
    const first = await onlyChildOf(server.pid);
    const socket = first.args.find((argument) => argument.endsWith("/pages")) ?? "";
    expect(statSync(dirname(socket)).mode & 0o077).toBe(0); // nobody else can connect

    process.kill(first.pid, "SIGSTOP");
    await expectAway(await fetch(`${server.url}/login`));
    await expect.poll(() => childrenOf(server.pid).some(({ pid }) => pid === first.pid)).toBe(false);

    await expect.poll(page).toBe(200); // 503 until the server has noticed
    process.kill((await onlyChildOf(server.pid)).pid, "SIGKILL");
    const seen = new Set<number>();
    await expect
      .poll(
        async () => {
          expect(await api()).toBe(200);
          const status = await page();
          seen.add(status);
          return status;
        },
        { timeout: 20_000 },
      )
      .toBe(200);
    expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(existsSync(socket)).toBe(false);
    const left = childrenOf(server.pid);
    expect(left).toHaveLength(1);
    await server.kill();
    await expect.poll(() => left.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([]);
    expect(
      left.flatMap(({ args }) => args.filter((argument) => argument.endsWith("/pages") && existsSync(argument))),
    ).toEqual([]);
  } finally {
    await server.kill();
  }
});

it.concurrent("answers with 503 while it cannot start, or does not finish, and then shows pages", async ({
  expect,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  const TMPDIR = join(folder, "tmp"); // does not exist yet
  const settings = { DATABASE_URL: await createDatabase(), APP_SECRET: randomBytes(32).toString("base64url") };
  const server = await launch({ ...settings, TMPDIR, LOG_LEVEL: "silent" }, paydeskWeb);
  const page = () => fetch(`${server.url}/login`);
  try {
    await expectAway(await page());

    mkdirSync(TMPDIR);
    for (const path of [folder, TMPDIR]) chmodSync(path, 0o777); // as root, the server runs as another user
    const waiting = page();
    const { pid } = await onlyChildOf(server.pid);
    process.kill(pid, "SIGSTOP");
    await expectAway(await waiting);
    await expect.poll(() => childrenOf(server.pid).some((child) => child.pid === pid)).toBe(false);
    await expect.poll(async () => (await page()).status).toBe(200);
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
