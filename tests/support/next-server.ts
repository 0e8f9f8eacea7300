import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { db, pool } from "@/lib/core/db";
import { migrate } from "@/server/migrate";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { startStripeFake } from "@/tests/support/stripe/fake";
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
  const stripe = await startStripeFake();
  const settings = {
    STRIPE_API_URL: stripe.url,
    DATABASE_URL: postgres.url,
    APP_SECRET,
    NEXTAUTH_SECRET: APP_SECRET,
    RATE_LIMIT_PER_MINUTE: "1000000",
  };
  const server = await launch(settings, nextStart);
  process.env.STRIPE_API_URL = stripe.url;
  process.env.TEST_STRIPE_KEY = stripe.account().secretKey;
  Object.assign(process.env, { TEST_URL: server.url, APP_URL: server.url, DATABASE_URL: postgres.url, APP_SECRET });
  // The framework's own server has no jobs: they run here, as they would in a process beside it.
  const { startJobs } = await import("@/server/jobs");
  const stopJobs = await startJobs(server.url);
  return async () => {
    await stopJobs();
    await db.$disconnect();
    await pool().end();
    await server.stop();
    await stripe.close();
    await postgres.stop();
    removeDataDir(dataDir);
  };
}
