import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDueJobs } from "@/lib/billing/due";
import { sendNotices } from "@/lib/billing/notices";
import { probeAccounts } from "@/lib/ledger/account-health";
import { importBalances } from "@/lib/ledger/balance-import";
import { recordExpired } from "@/lib/outbox/expiries";
import { seedBusiness } from "@/tests/bench/scale-seed";
import { countEntries } from "@/tests/support/entries-read";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Of a business whose test clock is ahead, and of the accounts of all businesses.
const rows = 6_000;
const later = "now() + interval '30 days'";
let client: Client;

beforeAll(async () => {
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
  const business = await seedBusiness(client, { links: rows, subscriptions: rows, events: rows, others: rows });
  await client.query(`
    UPDATE business SET test_clock_ahead = 3600000;
    UPDATE subscription SET next_charge_at = ${later}, next_period = 1, ended_at = NULL, status = 'active';
    UPDATE payment_link SET status = 'Active', paid_at = NULL, expires_at = ${later};
    UPDATE payment_link SET expires_at = NULL, subscription_id = replace(id, 'pl_', 'sub_'), period_index = 0,
           period_start = now(), period_end = ${later}, next_step_at = ${later}
     WHERE id IN (SELECT id FROM payment_link ORDER BY id LIMIT ${rows / 2});
    UPDATE tokenization SET expires_at = ${later}, expiry_recorded = false;
    INSERT INTO gateway_account (id, business_id, livemode, gateway, external_id, secrets, hint, replaced_at, refused_calls, broken_at,
                                 probed_at)
    SELECT 'gwa_' || n, ${business}, false, 'stripe', 'acct_' || n, '', '', now(), '{key}', now(), now() FROM generate_series(1, ${rows}) AS n;
    INSERT INTO balance_import (business_id, livemode, gateway_account_id, next_at)
    SELECT business_id, livemode, id, ${later} FROM gateway_account UNION ALL SELECT ${business}, false, NULL, ${later}`);
  await client.query("VACUUM FULL ANALYZE");
});

afterAll(() => client.end());

it.each<[what: string, table: string, find: () => Promise<unknown>]>([
  ["charges", "subscription", addDueJobs],
  ["retries", "payment_link", addDueJobs],
  ["notices", "subscription", sendNotices],
  ["expiries of links", "payment_link", recordExpired],
  ["expiries of tokenizations", "tokenization", recordExpired],
  ["probes of accounts", "gateway_account", probeAccounts],
])("finds no due %s without reading the thousands that are due later", async (_, table, find) => {
  for (const plan of ["force_custom_plan", "force_generic_plan"])
    expect(await countEntries([table], find, plan), plan).toBeLessThan(100);
});

it("finds no due import of a balance by reading each account once, for those without an import", async () => {
  for (const plan of ["force_custom_plan", "force_generic_plan"])
    expect(await countEntries(["balance_import"], importBalances, plan), plan).toBeLessThan(1.5 * rows);
});
