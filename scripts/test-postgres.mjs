// One PostgreSQL for a whole test run, in its own process: it stops even if its parent is killed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "./steps.mjs";

/**
 * Starts a PostgreSQL with a migrated template database, and puts its address into TEST_POSTGRES. Uses an outer process's
 * PostgreSQL if there is one.
 * @returns stops it
 */
export async function startTestPostgres() {
  if (process.env.TEST_POSTGRES) return async () => undefined;
  const args = ["--import", "tsx", join(root, "tests/support/postgres-process.ts")];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const [address] = await Promise.race([once(child.stdout, "data"), ended.then(() => [""])]);
  if (!address) throw new Error("The PostgreSQL for the tests did not start.");
  process.env.TEST_POSTGRES = String(address).trim();
  return async () => {
    delete process.env.TEST_POSTGRES;
    child.stdin.end();
    await ended;
  };
}
