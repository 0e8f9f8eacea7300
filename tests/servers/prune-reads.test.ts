import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { prune } from "@/server/prune";
import { relationsOf } from "@/tests/support/entries-read";
import { idMadeAt } from "@/tests/support/id-made-at";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Live rows share the tables and months of test mode's. Pruning must not read them.

const liveRows = 20_000;
const testRows = 20;

const tables = ["email", "webhook_delivery", "webhook_attempt"];
let client: Client;
let relations: string[];

beforeAll(async () => {
  const url = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: url, DATABASE_MIGRATE_URL: ownerUrl(url) });
  client = new Client({ connectionString: ownerUrl(url) });
  await client.connect();
  relations = await relationsOf(client, tables);
  for (const name of relations) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  return () => client.end();
});

/** Rows of a business that were made 100 days ago: mails, and deliveries with an attempt each. */
async function add(livemode: boolean, count: number): Promise<void> {
  const { rows } = await client.query<{ id: number; endpoint: string }>(
    `WITH shop AS (INSERT INTO business (name) VALUES ('Bookshop') RETURNING id)
     INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret)
     SELECT 'whe_' || lpad(id::text, 36, '0'), id, $1, 'https://shop.example', '' FROM shop RETURNING business_id AS id, id AS endpoint`,
    [livemode],
  );
  const [shop] = rows;
  const head = idMadeAt("eml", new Date(Date.now() - 100 * 86_400_000)).slice(4, 14);
  const id = (prefix: string) => `'${prefix}_${head}' || lpad($1::int || 'x' || n, 26, '0')`;
  await client.query(
    `INSERT INTO email (id, business_id, livemode, template, "to", props, status, next_attempt_at, created_at)
     SELECT ${id("eml")}, $1, $2, 'receipt', 'ada@example.com', '{}', 'sent', NULL, now() FROM generate_series(1, $3::int) AS n`,
    [shop?.id, livemode, count],
  );
  await client.query(
    `INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, type, status, next_attempt_at, created_at)
     SELECT ${id("whd")}, $1, $2, $4, 'package.created', 'succeeded', NULL, now() FROM generate_series(1, $3::int) AS n`,
    [shop?.id, livemode, count, shop?.endpoint],
  );
  await client.query(
    `INSERT INTO webhook_attempt (id, delivery_id, status, latency_ms, created_at)
     SELECT ${id("wha")}, ${id("whd")}, 200, 5, now() FROM generate_series(1, $2::int) AS n`,
    [shop?.id, count],
  );
}

/** Entries of the tables and their indexes that all sessions have read, but not this one since its last statement. */
async function entriesRead(): Promise<number> {
  await client.query("SELECT pg_stat_force_next_flush()");
  await client.query("SELECT pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ entries: number }>(
    `SELECT sum(pg_stat_get_tuples_returned(relation))::int AS entries FROM (
       SELECT unnest($1::regclass[])::oid AS relation
       UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1::regclass[])) AS counted`,
    [relations],
  );
  return rows[0]?.entries ?? 0;
}

async function readByPrune(): Promise<number> {
  const before = await entriesRead();
  await prune();
  return (await entriesRead()) - before;
}

async function counts(): Promise<number[]> {
  const { rows } = await client.query<{ count: number }>(
    tables.map((name) => `SELECT count(*)::int FROM ${name}`).join(" UNION ALL "),
  );
  return rows.map(({ count }) => count);
}

describe(`among ${liveRows} live mails and deliveries, pruning reads those of test mode alone`, () => {
  beforeAll(() => add(true, liveRows));

  async function expectFewReads(): Promise<void> {
    await add(false, testRows);
    // Each row is found, locked and deleted, with its attempt.
    expect(await readByPrune()).toBeLessThan(20 * testRows);
    expect(await counts()).toEqual(tables.map(() => liveRows));
    // Without rows to delete: the index still has the deleted ones.
    expect(await readByPrune()).toBeLessThan(10 * testRows);
  }

  it("without statistics", expectFewReads);

  it("with statistics from before test mode had any", async () => {
    await client.query("VACUUM ANALYZE");
    await expectFewReads();
  });

  it("with statistics from when test mode had as many", async () => {
    await add(false, liveRows);
    await client.query("ANALYZE");
    await prune();
    await client.query("VACUUM");
    await expectFewReads();
  });

  it("by an index for them: without it, it reads all", async () => {
    await client.query("DROP INDEX email_forgotten");
    expect(await readByPrune()).toBeGreaterThan(liveRows);
  });
});
