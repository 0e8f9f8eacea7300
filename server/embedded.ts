import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { log } from "@/lib/core/log";
import { ensurePostgres } from "./postgres";

/** Held by the one server that works on an embedded cluster. */
const ownerLock = 7_236_970_210;

class AlreadyRunning extends Error {}

async function lock(url: string): Promise<Client | null> {
  const client = new Client({ connectionString: url, application_name: "paydesk-owner", keepAlive: true });
  client.on("error", () => undefined); // its end is what matters
  await client.connect();
  const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [ownerLock]);
  if (rows[0]?.mine) return client;
  await client.end();
  return null;
}

/**
 * The embedded PostgreSQL of a data directory for one server alone, kept alive: when it dies under us, it is started
 * again.
 * @throws Error when another Paydesk works on this data directory
 */
export async function holdPostgres(dataDir: string): Promise<{ url: string; release(): Promise<void> }> {
  let releasing = false;
  let postgres = await ensurePostgres(dataDir);
  let owner: Client;

  async function take(): Promise<void> {
    const client = await lock(postgres.url);
    if (!client) throw new AlreadyRunning(`Paydesk is already running on this data directory: ${dataDir}`);
    owner = client;
    owner.once("end", () => {
      if (!releasing) void revive();
    });
  }

  async function revive(): Promise<void> {
    log.error("the embedded PostgreSQL went away; starting it again");
    for (let tries = 0; !releasing; tries++) {
      await sleep(Math.min(tries * 500, 5_000));
      try {
        postgres = await ensurePostgres(dataDir);
        await take();
        log.warn("the embedded PostgreSQL is back");
        return;
      } catch (error) {
        log.error({ err: error }, "the embedded PostgreSQL does not start");
        if (error instanceof AlreadyRunning) process.exit(1);
      }
    }
  }

  await take();
  return {
    url: postgres.url,
    release: async () => {
      releasing = true;
      // The lock goes last, with the server: who starts meanwhile is told that we still run.
      await postgres.stop();
      await owner.end().catch(() => undefined);
    },
  };
}
