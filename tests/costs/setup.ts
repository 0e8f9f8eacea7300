import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { build } from "@/tests/support/server";

/**
 * The production build and a migrated database without any server: jobs of one would be counted with the work that the tests
 * measure. Each test file starts what it needs.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  await build();
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-costs-"));
  chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when these tests run as root
  const postgres = await ensurePostgres(dataDir);
  await migrate(postgres.url);
  Object.assign(process.env, { DATABASE_URL: postgres.url, APP_SECRET: randomBytes(32).toString("base64url") });
  return async () => {
    await postgres.stop();
    removeDataDir(dataDir);
  };
}
