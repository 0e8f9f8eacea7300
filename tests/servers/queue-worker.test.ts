import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { launch, paydeskWorker } from "@/tests/support/launch";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

let url: string;
let client: Client;

beforeAll(async () => {
  url = await createDatabase();
  client = new Client({ connectionString: ownerUrl(url) });
  await client.connect();
  return () => client.end();
});

/** Jobs without work: their tokenization does not exist. */
const addJobs = () =>
  client.query(
    `SELECT graphile_worker.add_job('detach_card', '{"tokenization":"none"}', max_attempts := 25)
       FROM generate_series(1, 50)`,
  );

async function waitingJobs(): Promise<number> {
  const { rows } = await client.query<{ count: number }>("SELECT count(*)::int FROM graphile_worker.jobs");
  return rows[0]?.count ?? 0;
}

it("goes on after connections were lost while it recorded results", async () => {
  const worker = await launch({ DATABASE_URL: url, APP_SECRET: randomBytes(32).toString("base64url") }, paydeskWorker);
  for (let round = 0; round < 30; round++) {
    await addJobs();
    await sleep(20);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'paydesk_app'",
    );
  }
  await client.query("DELETE FROM graphile_worker._private_jobs"); // jobs that were locked at a loss wait for hours
  await addJobs();
  await expect.poll(waitingJobs).toBe(0);
  expect(await worker.stop()).toBe(0);
});
