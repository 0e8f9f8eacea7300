import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePostgres, removeDataDir } from "@/server/postgres";
import { startStripeFake } from "@/tests/support/stripe/fake";
import { launch } from "./launch";

/** Builds if the sources changed since the last build. */
export async function build(): Promise<void> {
  const [code] = await once(spawn(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error("The build failed.");
}

/**
 * The production build on an empty database of its own, for a run of tests: Vitest's and Playwright's global setup. Its
 * address is in TEST_URL; lib/core/db finds the same database through DATABASE_URL. A stand-in for Stripe answers beside it, with
 * an account whose key is in TEST_STRIPE_KEY.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup(): Promise<() => Promise<void>> {
  await build();
  const dataDir = mkdtempSync(join(tmpdir(), "paydesk-test-"));
  chmodSync(dataDir, 0o755); // for the user that PostgreSQL runs as when these tests run as root
  const APP_SECRET = randomBytes(32).toString("base64url");
  const clear = async (clean: boolean) => {
    await stripe.close();
    if (!clean) await (await ensurePostgres(dataDir)).stop(); // the server did not get to do that itself
    removeDataDir(dataDir);
  };
  const stripe = await startStripeFake();
  const STRIPE_API_URL = stripe.url;
  const settings = {
    DATA_DIR: dataDir,
    APP_SECRET,
    RATE_LIMIT_PER_MINUTE: "1000000",
    TRUST_PROXY: "1",
    STRIPE_API_URL,
  };
  const server = await launch(settings).catch(async (error: unknown) => {
    await clear(false);
    throw error;
  });
  const { url: DATABASE_URL } = await ensurePostgres(dataDir);
  Object.assign(process.env, { TEST_URL: server.url, APP_URL: server.url, DATABASE_URL, APP_SECRET, STRIPE_API_URL });
  process.env.TEST_STRIPE_KEY = stripe.account().secretKey;
  return async () => {
    const how = await server.stop();
    await clear(how === 0);
    if (how !== 0) throw new Error(`The server ended with ${how}.`);
  };
}
