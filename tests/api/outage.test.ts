import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { serverAccount } from "@/server/postgres-binaries";
import { locateCluster } from "@/server/postgres-cluster";
import { command } from "@/tests/support/command";
import { type Launched, launch } from "@/tests/support/launch";

// A server and a PostgreSQL of their own, because the test stops this PostgreSQL.
let dataDir: string;
let postgres: Awaited<ReturnType<typeof ensurePostgres>>;
let server: Launched;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755);
  postgres = await ensurePostgres(dataDir);
  server = await launch({
    DATABASE_URL: postgres.url,
    DATABASE_MIGRATE_URL: postgres.ownerUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: "silent",
  });
});

afterAll(async () => {
  await server.stop();
  await postgres.stop();
  removeDataDir(dataDir);
});

const get = async (path: string) => {
  const reply = await fetch(server.url + path, { headers: { Authorization: `Bearer sk_test_${"a".repeat(43)}` } });
  return { status: reply.status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() };
};

it("returns 503 with Retry-After while the database is unavailable, and 200 soon afterwards", async () => {
  expect((await get("/api/payment-links")).status).toBe(401);
  await postgres.stop();
  expect((await get("/healthz")).status).toBe(200);
  expect(await get("/readyz")).toMatchObject({ status: 503, retryAfter: "1" });
  expect(await get("/api/payment-links")).toEqual({
    status: 503,
    retryAfter: "1",
    text: '{"message":"Service Unavailable","code":"service_unavailable"}',
  });
  const page = await get(`/pay?id=pl_${"0".repeat(36)}`);
  expect(page.status).toBe(503);
  expect(page.text).not.toMatch(/ECONN|ENOENT|PGSQL| {4}at /);
  const ofTheFramework = await get(`/reset/${"a".repeat(43)}`);
  expect(ofTheFramework).toMatchObject({ status: 503, retryAfter: "1" });
  expect(ofTheFramework.text).toContain("<h1>Temporarily unavailable</h1>");

  postgres = await ensurePostgres(dataDir);
  const deadline = Date.now() + 5_000;
  for (;;) {
    const { status } = await get("/readyz");
    if (status === 200) break;
    expect(Date.now(), "the server did not come back within 5 s").toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect((await get("/api/payment-links")).status).toBe(401);
});

// The last test here: PostgreSQL then waits for a primary that does not exist.
it("the doctor names an address that leads to a standby", async () => {
  await server.stop();
  await postgres.stop();
  writeFileSync(join(await locateCluster(dataDir, await serverAccount()), "standby.signal"), "");
  postgres = await ensurePostgres(dataDir);
  const addresses = { DATABASE_URL: postgres.url, DATABASE_MIGRATE_URL: postgres.ownerUrl };
  const env = { ...addresses, APP_URL: "http://localhost:9", LOG_LEVEL: "silent" };
  const { code, stdout } = await command("doctor", [], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^PROBLEM database +DATABASE_URL leads to a standby$/m);
});
