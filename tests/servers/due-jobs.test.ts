import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { addDueJobs } from "@/lib/billing/due";
import { bill } from "@/lib/billing/run";
import { isDatabaseAway } from "@/lib/core/database-error";
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

it("repeats a charge whose gateway account cannot be read in time, and does not ask the payer", async () => {
  await client.query(`
    WITH b AS (INSERT INTO business (name) VALUES ('Books') RETURNING id),
         p AS (INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
               SELECT 'pkg_busy', id, false, 'Club', 500, 'monthly', 'EUR' FROM b RETURNING business_id),
         a AS (INSERT INTO gateway_account (id, business_id, livemode, gateway, external_id, secrets, hint)
               SELECT 'gwa_busy', business_id, false, 'stripe', 'acct_busy', 'sealed', 'busy' FROM p),
         t AS (INSERT INTO tokenization (id, business_id, livemode, email, title, description, sealed_token, token_hash, status,
                                         expires_at, activated_at, gateway, gateway_account_id, gateway_card, card_brand,
                                         card_last4, card_exp_month, card_exp_year)
               SELECT 'tkn_busy', business_id, false, 'ada@example.com', 'Card', 'Card', 'sealed', 'hash', 'active',
                      now(), now(), 'stripe', 'gwa_busy', 'cus_busy/pm_busy', 'visa', '4242', 12, 2098 FROM p)
    INSERT INTO subscription (id, business_id, livemode, package_id, email, anchor, timezone, next_charge_at)
    SELECT 'sub_busy', business_id, false, 'pkg_busy', 'ada@example.com',
           to_char(now() - interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS'), 'UTC', now() - interval '1 hour' FROM p`);
  await client.query("BEGIN; LOCK TABLE gateway_account");
  const error = await bill("sub_busy").then(
    () => null,
    (reason: unknown) => reason,
  );
  await client.query("COMMIT");
  expect(isDatabaseAway(error)).toBe(true);
  const { rows } = await client.query("SELECT type FROM event WHERE type LIKE '%awaiting_payer'");
  expect(rows).toEqual([]);
});
