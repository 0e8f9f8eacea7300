import { readFileSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db, execute, Prisma } from "@/lib/core/db";
import { seedBusiness } from "@/tests/bench/scale-seed";
import { countEntries } from "@/tests/support/entries-read";
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

it("the trigger reads few customers, also with a plan from before there were any", async () => {
  const { rows } = await client.query("INSERT INTO business (name, timezone) VALUES ('Import', 'UTC') RETURNING id");
  await client.query("DELETE FROM customer");
  await client.query("VACUUM customer"); // the table is empty, and has no statistics
  const add = (from: number, to: number) =>
    execute(
      db,
      Prisma.sql`
      INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
      SELECT 'pl_import' || n, ${rows[0].id}::int, false, 'c' || n % 1000 || '@example.com', 'EUR', 500, 'Order'
        FROM generate_series(${from}::int, ${to}::int) AS n`,
    );
  // The plan is made by the first row.
  expect(await countEntries(["customer"], () => add(1, 2000), "force_generic_plan")).toBeLessThan(3 * 2000);
  expect(await db.customer.count({ where: { business_id: rows[0].id } })).toBe(1000);
});
