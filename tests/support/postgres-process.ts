// Runs the PostgreSQL that a run of tests shares: prints its address, and stops it when standard input ends.
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { databaseUrl, execute, template } from "./postgres";

/**
 * Nothing in this cluster outlives the tests, so it need not survive a power cut. Tests that kill one of our servers do
 * not need that; tests that kill PostgreSQL itself start one of their own.
 */
const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "500" };

// Ctrl-C reaches every process of the terminal; this one ends after the one that started it, through standard input.
process.on("SIGINT", () => undefined);
const orphaned = new Promise((resolve) => process.stdin.resume().once("end", resolve));

const dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when the tests run as root
let postgres = await ensurePostgres(dataDir);
try {
  const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
  await execute(postgres.url, ...changes, `CREATE DATABASE ${template}`);
  await postgres.stop();
  postgres = await ensurePostgres(dataDir);
  await migrate(databaseUrl(postgres.url, template));
  console.log(postgres.url);
  await orphaned;
} finally {
  await postgres.stop();
  removeDataDir(dataDir);
}
process.exit(0);
