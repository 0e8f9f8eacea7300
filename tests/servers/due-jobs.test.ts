import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { addDueJobs } from "@/lib/billing/due";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

let client: Client;

beforeAll(async () => {
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
  await client.query(`
    WITH b AS (INSERT INTO business (name) VALUES ('Books') RETURNING id),
         p AS (INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
               SELECT 'pkg_due', id, false, 'Club', 500, 'monthly', 'EUR' FROM b RETURNING business_id)
    INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone, next_charge_at)
    SELECT 'sub_due' || n, business_id, false, 'pkg_due', 'ada@example.com', 'active', '2026-01-01T00:00:00', 'UTC', now()
      FROM p, generate_series(1, 3) AS n`);
  return () => client.end();
});

const queue = (count: number) =>
  client.query(
    `SELECT graphile_worker.add_jobs(ARRAY(
       SELECT ('bill', '{}', NULL, NULL, NULL, 'bill:other' || n, NULL, NULL)::graphile_worker.job_spec
         FROM generate_series(1, $1::int) AS n))`,
    [count],
  );

it("adds no job for a due subscription while very many wait", async () => {
  await queue(20_000);
  expect(await addDueJobs()).toBe(0);
  await client.query("SELECT graphile_worker.remove_job('bill:other7')");
  expect(await addDueJobs()).toBe(3);
  expect(await addDueJobs()).toBe(0); // 20,002 wait
});
