import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asOwner, ownerUrl } from "@/tests/support/postgres";

// The role that serves requests, in the database of the server under test.

let client: Client;
beforeAll(async () => {
  client = new Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
});
afterAll(() => client.end());

const refused = async (sql: string) => {
  await expect(client.query(sql), sql).rejects.toMatchObject({ code: "42501" });
};

it.each([
  ["posting", "amount_cents"],
  ["event", "data"],
  ["audit_entry", "after"],
  ["dispute_movement", "gateway_ref"],
  ["webhook_attempt", "status"],
  ["api_request", "status"],
])("may only read and add to %s", async (table, column) => {
  await client.query(`SELECT FROM ${table} LIMIT 1`);
  await refused(`TRUNCATE ${table}`);
  await refused(`TRUNCATE ${table} CASCADE`);
  await refused(`UPDATE ${table} SET ${column} = ${column}`);
  await refused(`DELETE FROM ${table}`);
  await refused(`ALTER TABLE ${table} DISABLE TRIGGER ALL`);
  await refused(`DROP TABLE ${table}`);
});

it.each([
  ["payment", "amount_cents"],
  ["payment", "payment_link_id"],
  ["refund", "amount_cents"],
  ["payment_link", "business_id"],
  ["api_key", "scopes"],
  ["balance_entry", "amount_cents"],
])("may not change %s.%s, nor delete the row", async (table, column) => {
  await refused(`UPDATE ${table} SET ${column} = ${column}`);
  await refused(`DELETE FROM ${table}`);
  await refused(`TRUNCATE ${table} CASCADE`);
});

it("may not become another role, turn triggers off, or change the schema", async () => {
  await refused("SET session_replication_role = replica");
  await refused("SET ROLE paydesk");
  await refused("CREATE TABLE mine ()");
  await refused("CREATE TRIGGER mine BEFORE INSERT ON posting FOR EACH ROW EXECUTE FUNCTION refuse_change()");
  await refused(
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
  );
  await refused("DELETE FROM _prisma_migrations");
  await refused("COPY posting TO PROGRAM 'cat'");
});

it("owns nothing", async () => {
  const { rows } = await client.query("SELECT relname FROM pg_class WHERE pg_get_userbyid(relowner) = current_user");
  expect(rows).toEqual([]);
});

it("sees the rows of the queue, whose tables have row security", async () => {
  const { rows } = await client.query(`
    SELECT relname FROM pg_class c WHERE relnamespace = 'graphile_worker'::regnamespace AND relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)`);
  expect(rows).toEqual([]);
});

it("lets even the owner not empty history", async () => {
  expect(ownerUrl(process.env.DATABASE_URL ?? "")).not.toBe(process.env.DATABASE_URL);
  for (const table of ["posting", "event", "audit_entry", "dispute_movement"])
    await expect(asOwner(`TRUNCATE ${table} CASCADE`)).rejects.toThrow("is only added to");
});
