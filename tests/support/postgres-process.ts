// Runs the PostgreSQL of a test run. Prints its URL and stops when standard input ends.
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { grantRights } from "@/server/grants";
import { migrate } from "@/server/migrate";
import { keepPartitions } from "@/server/partitions";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { databaseUrl, execute, template } from "./postgres";

/** Not durable: nothing in this cluster outlives the tests. Tests that kill PostgreSQL start their own. */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "500" };

// Ctrl-C reaches every process of the terminal. This one waits for its parent to close standard input.
process.on("SIGINT", () => undefined);
const orphaned = new Promise((resolve) => process.stdin.resume().once("end", resolve));

const dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user
let postgres = await ensurePostgres(dataDir);
try {
  const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
  await execute(postgres.ownerUrl, ...changes, `CREATE DATABASE ${template}`);
  await postgres.stop();
  postgres = await ensurePostgres(dataDir);
  await migrate(databaseUrl(postgres.ownerUrl, template));
  await grantRights(databaseUrl(postgres.ownerUrl, template), databaseUrl(postgres.url, template));
  await keepPartitions(undefined, { url: databaseUrl(postgres.ownerUrl, template) });
  console.log(postgres.url);
  await orphaned;
} finally {
  await postgres.stop();
  removeDataDir(dataDir);
}
process.exit(0);
