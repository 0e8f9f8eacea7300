import { randomBytes } from "node:crypto";
import { disconnect } from "@/lib/core/disconnect";
import { type Launched, launch } from "@/tests/support/launch";

/**
 * Starts the web half of the production build on a database: it has no jobs, so its only work is the test's requests.
 * The test file's own queries go to the same database.
 * @returns what stops it
 */
export async function startWeb(database: string): Promise<() => Promise<void>> {
  const APP_SECRET = randomBytes(32).toString("base64url");
  const settings = {
    ...{ DATABASE_URL: database, APP_SECRET, RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" },
    WEBHOOKS_ALLOW_LOCALHOST: "1", // a half allows them only by setting
  };
  const server: Launched = await launch(settings, () => ["dist/main.mjs", "web"]);
  Object.assign(process.env, { DATABASE_URL: database, APP_SECRET, TEST_URL: server.url, APP_URL: server.url });
  return async () => {
    await disconnect();
    await server.stop();
  };
}
