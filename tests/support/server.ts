import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { startTestPostgres } from "@/scripts/test-postgres.mjs";
import { startStripeFake } from "@/tests/support/stripe/fake";
import { launch, nextStart, paydesk, paydeskWeb, paydeskWorker } from "./launch";
import { startPgBouncer } from "./pgbouncer";
import { createDatabase, ownerUrl } from "./postgres";

export async function build(): Promise<void> {
  const [code] = await once(spawn(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" }), "exit");
  if (code !== 0) throw new Error("The build failed.");
}

/**
 * The global setup of Vitest and Playwright: starts the production build on an empty database, and a fake Stripe.
 * TEST_URL has the server's URL, DATABASE_URL its database, TEST_STRIPE_KEY the key of an account at the fake Stripe.
 * Vitest's project api-next gets the framework's own server and a worker instead. The projects faults and servers get
 * no server, because each file starts its own.
 * With POOLER=transaction, a web process behind PgBouncer in transaction mode, and a worker beside it.
 * @returns the teardown, which leaves neither processes nor files
 */
export default async function setup({ name }: { name?: string } = {}): Promise<() => Promise<void>> {
  if (!process.env.TEST_POSTGRES) await build(); // else an outer process has built, as npm test does before it starts PostgreSQL
  const stopPostgres = await startTestPostgres();
  if (name === "faults" || name === "servers") return stopPostgres;
  const stripe = await startStripeFake();
  let pooler: Awaited<ReturnType<typeof startPgBouncer>> | null = null;
  const clear = async () => {
    await stripe.close();
    await pooler?.stop();
    await stopPostgres();
  };
  try {
    const DATABASE_URL = await createDatabase();
    const APP_SECRET = randomBytes(32).toString("base64url");
    const shared = { DATABASE_URL, APP_SECRET, STRIPE_API_URL: stripe.url };
    const settings = {
      ...shared,
      NEXTAUTH_SECRET: APP_SECRET,
      RATE_LIMIT_PER_MINUTE: "1000000",
      ADDRESS_FAILURES_PER_MINUTE: "1000000",
      TRUST_PROXY: "1",
      WEBHOOKS_ALLOW_LOCALHOST: "1", // the worker half allows them only by setting
      DATABASE_POOL: "60",
      // Browser tests seldom wait for a job, and an idle server then takes half as much processor time.
      ...(name === undefined && { MAX_POLL_MS: "1000" }),
    };
    const isNext = name === "api-next";
    if (process.env.POOLER === "transaction") pooler = await startPgBouncer(DATABASE_URL, { mode: "shipped" });
    const server = pooler
      ? await launch({ ...settings, DATABASE_URL: pooler.url, DATABASE_URL_DIRECT: DATABASE_URL }, paydeskWeb)
      : await launch(settings, isNext ? nextStart : paydesk());
    const worker = isNext || pooler ? await launch({ ...settings, APP_URL: server.url }, paydeskWorker) : null;
    const DATABASE_MIGRATE_URL = ownerUrl(DATABASE_URL); // for tests that prune
    Object.assign(process.env, { ...shared, DATABASE_MIGRATE_URL, TEST_URL: server.url, APP_URL: server.url });
    process.env.TEST_STRIPE_KEY = stripe.account().secretKey;
    return async () => {
      const ended = await Promise.all([server.stop(), worker?.stop()]);
      await clear();
      // The framework's own server exits by the signal.
      const expected = isNext ? [143, 0] : [0, undefined];
      if (ended.join() !== expected.join()) throw new Error(`The servers ended with ${ended}.`);
    };
  } catch (error) {
    await clear();
    throw error;
  }
}
