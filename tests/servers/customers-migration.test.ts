import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { seedBusiness } from "@/tests/bench/scale-seed";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

let client: Client;

beforeAll(async () => {
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
});

afterAll(() => client.end());

const customers = async () =>
  (await client.query("SELECT business_id, livemode, email, created_at FROM customer ORDER BY 1, 2, 3")).rows;

it("the migration makes the same customers of existing rows as the triggers make of new ones", async () => {
  for (const links of [300, 60]) await seedBusiness(client, { links, subscriptions: 50, events: 40, others: 40 });
  await client.query("UPDATE payment_link SET email = upper(email) WHERE amount_cents % 3 = 0");
  const byTriggers = await customers();
  expect(byTriggers.length).toBeGreaterThan(100);
  const sql = readFileSync("prisma/migrations/20261126110000_customers/migration.sql", "utf8");
  const [backfill] = /^INSERT INTO customer [^;]*;/m.exec(sql) ?? [];
  await client.query("DELETE FROM customer");
  await client.query(String(backfill));
  const byMigration = await customers();
  expect(byMigration.map(({ email }) => email)).toEqual(byTriggers.map(({ email }) => email));
  // A trigger stores the time of the row that it sees first; the migration knows which one is the oldest.
  for (const [n, { created_at }] of byMigration.entries()) expect(created_at <= byTriggers[n].created_at).toBe(true);
  const ids = await client.query("SELECT count(*)::int AS n FROM customer WHERE id ~ '^cus_[0-9a-hjkmnp-tv-z]{36}$'");
  expect(ids.rows[0].n).toBe(byMigration.length);
});
