import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { log } from "@/lib/core/log";
import { ensurePostgres, serverConnection } from "./postgres";

/** The advisory lock held by the one server that uses an embedded PostgreSQL. */
const serverLock = 7_236_970_210;

class AlreadyRunning extends Error {}

/**
 * Runs the embedded PostgreSQL of a data directory for this server, the only one that may use it, and restarts it if it dies. `release`
 * stops it, also under a command.
 * @throws Error when another server uses this data directory
 */
export async function supervisePostgres(
  dataDir: string,
): Promise<{ url: string; ownerUrl: string; release(): Promise<void> }> {
  let releasing = false;
  let postgres = await ensurePostgres(dataDir);
  let lock = await acquireLock().catch(async (error: unknown) => {
    if (error instanceof AlreadyRunning) throw error;
    postgres = await ensurePostgres(dataDir); // a command that had started it has just stopped it
    return acquireLock();
  });

  async function acquireLock(): Promise<Client> {
    const client = new Client({ connectionString: postgres.url, application_name: serverConnection, keepAlive: true });
    client.on("error", () => undefined); // "end" follows
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [serverLock]);
    if (rows[0]?.held) {
      client.once("end", () => {
        if (!releasing) void restart();
      });
      return client;
    }
    await client.end();
    throw new AlreadyRunning(`Paydesk is already running on this data directory: ${dataDir}`);
  }

  async function restart(): Promise<void> {
    log.error("the embedded PostgreSQL ended; restarting it");
    for (let tries = 0; !releasing; tries++) {
      await sleep(Math.min(tries * 500, 5_000));
      try {
        postgres = await ensurePostgres(dataDir);
        lock = await acquireLock();
        log.warn("the embedded PostgreSQL is back");
        return;
      } catch (error) {
        log.error({ err: error }, "the embedded PostgreSQL failed to start");
        if (error instanceof AlreadyRunning) process.exit(1);
      }
    }
  }

  return {
    url: postgres.url,
    ownerUrl: postgres.ownerUrl,
    release: async () => {
      releasing = true;
      // Stops PostgreSQL before releasing the lock, so that a server that starts meanwhile is refused.
      await postgres.stop();
      await lock.end().catch(() => undefined);
    },
  };
}
