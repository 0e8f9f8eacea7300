import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { disconnect } from "@/lib/core/db";
import { parseEnv } from "@/lib/core/env";
import { ensurePostgres } from "./postgres";

/**
 * Runs a command's work on the database that a server with the same environment uses, running or not. Stops PostgreSQL
 * afterwards if it started it.
 * @throws Error when there is no database yet
 */
export async function withDatabase(work: () => Promise<void>): Promise<void> {
  const { DATABASE_URL, DATA_DIR, APP_SECRET } = parseEnv(process.env);
  const secret = join(DATA_DIR, "secret");
  // The first start creates the secret before the database.
  if (!DATABASE_URL && !existsSync(secret))
    throw new Error(`There is no Paydesk data in ${DATA_DIR}. Start Paydesk once, or set DATA_DIR or DATABASE_URL.`);
  // Encrypted values need the server's secret.
  if (!APP_SECRET && existsSync(secret)) process.env.APP_SECRET = readFileSync(secret, "utf8").trim();
  const embedded = DATABASE_URL ? null : await ensurePostgres(DATA_DIR);
  if (embedded) process.env.DATABASE_URL = embedded.url;
  try {
    await work();
  } finally {
    await disconnect();
    if (embedded?.started) await embedded.stop();
  }
}
