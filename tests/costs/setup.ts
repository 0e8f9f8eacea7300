import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grantRights } from "@/server/grants";
import { migrate } from "@/server/migrate";
import { keepPartitions } from "@/server/partitions";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { build } from "@/tests/support/server";

/**
 * The production build, and a migrated database at COSTS_DATABASE_URL without any server: its jobs would be counted with the
 * work that the tests measure. Each test file starts what it needs.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  await build();
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-costs-"));
  chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when these tests run as root
  const postgres = await ensurePostgres(dataDir);
  await migrate(postgres.ownerUrl);
  await grantRights(postgres.ownerUrl, postgres.url);
  await keepPartitions(undefined, { url: postgres.ownerUrl });
  process.env.COSTS_DATABASE_URL = postgres.url;
  return async () => {
    await postgres.stop();
    removeDataDir(dataDir);
  };
}
