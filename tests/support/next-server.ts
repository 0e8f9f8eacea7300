import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../server/migrate";
import { ensurePostgres, removeDataDir } from "../../server/postgres";
import { launch, nextStart } from "./launch";
import { build } from "./server";

/**
 * The global setup of the API tests' second run: the framework's own server, on an empty database of its own.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  await build();
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when these tests run as root
  const postgres = await ensurePostgres(dataDir);
  await migrate(postgres.url);
  const APP_SECRET = randomBytes(32).toString("base64url");
  const settings = {
    DATABASE_URL: postgres.url,
    APP_SECRET,
    NEXTAUTH_SECRET: APP_SECRET,
    RATE_LIMIT_PER_MINUTE: "1000000",
  };
  const server = await launch(settings, nextStart);
  Object.assign(process.env, { TEST_URL: server.url, APP_URL: server.url, DATABASE_URL: postgres.url, APP_SECRET });
  return async () => {
    await server.stop();
    await postgres.stop();
    removeDataDir(dataDir);
  };
}
