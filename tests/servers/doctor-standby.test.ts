import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { serverAccount } from "@/server/postgres-binaries";
import { locateCluster } from "@/server/postgres-cluster";
import { command } from "@/tests/support/command";
import { launch, paydeskWeb } from "@/tests/support/launch";

// A PostgreSQL of its own, which begins to wait for a primary that does not exist.
let dataDir: string;
let postgres: Awaited<ReturnType<typeof ensurePostgres>>;
let settings: Record<string, string>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755);
  postgres = await ensurePostgres(dataDir);
  settings = {
    DATABASE_URL: postgres.url,
    DATABASE_MIGRATE_URL: postgres.ownerUrl,
    APP_SECRET: randomBytes(32).toString("base64url"),
    APP_URL: "http://localhost:9",
    LOG_LEVEL: "silent",
  };
  const server = await launch(settings, paydeskWeb);
  await server.stop();
  await postgres.stop();
  writeFileSync(join(await locateCluster(dataDir, await serverAccount()), "standby.signal"), "");
  postgres = await ensurePostgres(dataDir);
});
afterAll(async () => {
  await postgres.stop();
  removeDataDir(dataDir);
});

it("the doctor names an address that leads to a standby", async () => {
  const { code, stdout } = await command("doctor", [], { env: settings });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^PROBLEM database +DATABASE_URL leads to a standby$/m);
});
