import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstIdAt, newId } from "@/lib/core/id";
import { grantRights } from "@/server/grants";
import { migrate } from "@/server/migrate";
import { keepPartitions, monthlyTables, monthStart } from "@/server/partitions";
import { command } from "@/tests/support/command";
import { schemaOf } from "@/tests/support/database-content";
import { idMadeAt } from "@/tests/support/id-made-at";
import { definitionsOf, migrationsBefore, rightsOn, rowsReadBy } from "@/tests/support/migrations";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Webhook deliveries by month: one for each endpoint and event, which no unique key over all months can hold.

const time = (months: number, days = 14) => new Date(monthStart(new Date(), months).getTime() + days * 86_400_000);

const opened: Client[] = [];
async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  opened.push(client);
  return client;
}

let url: string;
let owner: Client;
beforeAll(async () => {
  url = await createDatabase();
  owner = await connect(ownerUrl(url));
});
afterAll(() => Promise.all(opened.map((client) => client.end())));

const rowsOf = async <Row extends object>(sql: string, values: unknown[] = [], client = owner): Promise<Row[]> =>
  (await client.query<Row>(sql, values)).rows;

/** An endpoint of a new business. */
async function endpointOn(client: Client): Promise<string> {
  const id = newId("whe");
  await client.query(
    `WITH shop AS (INSERT INTO business (name) VALUES ('Bookshop') RETURNING id)
     INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret) SELECT $1, id, false, 'https://shop.example', '' FROM shop`,
    [id],
  );
  return id;
}

async function eventOn(client: Client, endpoint: string, months: number): Promise<string> {
  const id = idMadeAt("evt", time(months));
  await client.query(
    `INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, data, actor_type, created_at)
     SELECT $1, business_id, livemode, 'package.created', $1, 1, '{}', 'system', now() FROM webhook_endpoint WHERE id = $2`,
    [id, endpoint],
  );
  return id;
}

/** @param id an expression of the endpoint $1 and the event $2 */
const insertDelivery = (client: Client, endpoint: string, event: string | null, id: string, status = "succeeded") =>
  client.query(
    `INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, type, status, next_attempt_at)
     SELECT ${id}, business_id, livemode, id, $2, 'package.created', $3, CASE $3 WHEN 'pending' THEN now() END
       FROM webhook_endpoint WHERE id = $1`,
    [endpoint, event, status],
  );

const computed = "webhook_delivery_id($1, $2)";
const randomly = (months: number) => `'${idMadeAt("whd", time(months))}'`;

describe("the migration", () => {
  it("keeps rows, columns, rules, rights and indexes, and reads no row under its last lock", async () => {
    const last = "20261126200002_deliveries_by_month";
    const dirs = ["20261126200000", last, "20261126200003"].map(migrationsBefore) as [string, string, string];
    const client = await connect(ownerUrl(await createDatabase({ empty: true })));
    const onFresh = (other: string) => other.replace(/\/\w+(\?|$)/, `/${client.database}$1`);
    const address = onFresh(ownerUrl(url));
    try {
      await migrate(address, dirs[0]);
      expect(await grantRights(address, onFresh(url))).toBe(false);
      const endpoint = await endpointOn(client);
      for (const months of [-30, -1, 0])
        await insertDelivery(client, endpoint, await eventOn(client, endpoint, months), randomly(months));
      await insertDelivery(client, endpoint, null, randomly(0), "pending");
      await client.query(
        "INSERT INTO webhook_attempt (id, delivery_id, latency_ms) SELECT 'wha_' || substr(id, 5), id, 5 FROM webhook_delivery",
      );
      const tables = ["webhook_delivery"];
      const all = () =>
        rowsOf(
          "SELECT to_jsonb(d) AS row, (SELECT count(*)::int FROM webhook_attempt WHERE delivery_id = d.id) AS attempts FROM webhook_delivery d ORDER BY id",
          [],
          client,
        );
      const files = () =>
        rowsOf(
          `SELECT oid, relfilenode FROM pg_class
            WHERE relkind IN ('r', 'i') AND relname ~ '^webhook_delivery' AND relname !~ '_later' ORDER BY oid`,
          [],
          client,
        );
      const [rows, shape, rights] = [
        await all(),
        await definitionsOf(client, tables),
        await rightsOn(client, ["webhook_delivery", "webhook_attempt"]),
      ];
      expect(rows).toHaveLength(4);
      expect(await migrate(address, dirs[1])).toHaveLength(2);
      // A process of the release before adds one with a random id.
      await insertDelivery(client, endpoint, await eventOn(client, endpoint, 0), randomly(0));
      await client.query("DELETE FROM webhook_delivery WHERE id NOT IN (SELECT delivery_id FROM webhook_attempt)");

      const filesBefore = await files();
      expect(await rowsReadBy(client, last, ["webhook_delivery", "webhook_attempt"])).toBe(0);
      // The control: without a checked bound, PostgreSQL reads every row.
      await client.query("UPDATE pg_constraint SET convalidated = false WHERE conname LIKE 'before\\_%'");
      expect(await rowsReadBy(client, last, ["webhook_delivery"])).toBeGreaterThanOrEqual(4);
      await client.query("UPDATE pg_constraint SET convalidated = true WHERE conname LIKE 'before\\_%'");
      expect(await migrate(address, dirs[2])).toEqual([last]);
      expect(await files()).toEqual(filesBefore);
      expect(await all()).toEqual(rows);
      expect(await rightsOn(client, ["webhook_delivery", "webhook_attempt"])).toEqual(rights);
      const changed = (definition: string) => /endpoint_id_event_id_key|webhook_delivery_of_event/.test(definition);
      expect((await definitionsOf(client, tables)).filter((one) => !changed(one))).toEqual(
        shape.filter((one) => !changed(one)),
      );
      await insertDelivery(client, endpoint, await eventOn(client, endpoint, 0), randomly(0));
    } finally {
      for (const dir of dirs) rmSync(dir, { recursive: true });
    }
  });
});

/** @returns the settings of both */
async function backUpAndRestore(from: string, to: string) {
  const folder = mkdtempSync(join(tmpdir(), "paydesk-deliveries-"));
  const settings = (DATABASE_URL: string) => ({
    ...{
      DATABASE_URL,
      DATABASE_MIGRATE_URL: ownerUrl(DATABASE_URL),
      APP_SECRET: "a secret of 32 characters, or more",
    },
    ...{ DATA_DIR: mkdtempSync(join(folder, "data-")), LOG_LEVEL: "error" },
  });
  const [source, target] = [settings(from), settings(to)];
  expect(await command("backup", ["--to", folder], { env: source })).toMatchObject({ code: 0 });
  const file = readdirSync(folder).find((name) => name.endsWith(".tar")) ?? "";
  expect(await command("restore", [join(folder, file)], { env: target })).toMatchObject({ code: 0, stderr: "" });
  rmSync(folder, { recursive: true });
  return { source, target };
}

describe("one delivery of an event to an endpoint", () => {
  it("is held by the unique index before the months, and by the primary key in them", async () => {
    const endpoint = await endpointOn(owner);
    const [old, recent] = [await eventOn(owner, endpoint, 0), await eventOn(owner, endpoint, 5)];
    await insertDelivery(owner, endpoint, old, randomly(0));
    for (const id of [randomly(0), randomly(-1), computed])
      await expect(insertDelivery(owner, endpoint, old, id), id).rejects.toMatchObject({ code: "23505" });
    // In the months, neither an event nor a delivery may have an id by chance.
    for (const [event, id] of [
      [old, randomly(5)],
      [recent, randomly(5)],
      [recent, randomly(0)],
    ] as const)
      await expect(insertDelivery(owner, endpoint, event, id)).rejects.toMatchObject({
        code: "23514",
        constraint: "webhook_delivery_of_event",
      });
    await insertDelivery(owner, endpoint, recent, computed);
    await expect(insertDelivery(owner, endpoint, recent, computed)).rejects.toMatchObject({ code: "23505" });
    await insertDelivery(owner, endpoint, null, randomly(5));
    await insertDelivery(owner, endpoint, null, randomly(5));
    const rows = await rowsOf("SELECT FROM webhook_delivery WHERE endpoint_id = $1", [endpoint]);
    expect(rows).toHaveLength(4);
  });

  it.each([
    ["before the months", 0, randomly(0)],
    ["in them", 6, computed],
  ])("is added by one of several transactions at once, %s", async (_, months, id) => {
    const endpoint = await endpointOn(owner);
    const event = await eventOn(owner, endpoint, months);
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect(url)));
    for (const client of clients) await client.query("BEGIN");
    const outcomes = await Promise.allSettled(
      clients.map(async (client, n) => {
        await insertDelivery(client, endpoint, event, id.replace(/.'$/, `${n}'`));
        await new Promise((resolve) => setTimeout(resolve, 100));
        await client.query("COMMIT");
      }),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    expect(await rowsOf("SELECT FROM webhook_delivery WHERE event_id = $1", [event])).toHaveLength(1);
  });

  it("stays so in a restored database, whose migration is newer than the deliveries' first month", async () => {
    const [from, to] = [await createDatabase(), await createDatabase({ empty: true })];
    const client = await connect(ownerUrl(from));
    const border = (prefix: "whd" | "evt") => firstIdAt(prefix, monthStart(new Date(), -9));
    // As if the migration had run in that month.
    const parts = await rowsOf<{ name: string }>(
      "SELECT relid::text AS name FROM pg_partition_tree('webhook_delivery') WHERE isleaf",
      [],
      client,
    );
    for (const { name } of parts) await client.query(`DROP TABLE ${name}`);
    await client.query(`
      CREATE TABLE webhook_delivery_to_2026_02 PARTITION OF webhook_delivery FOR VALUES FROM (MINVALUE) TO ('${border("whd")}');
      CREATE UNIQUE INDEX webhook_delivery_to_2026_02_of_event ON webhook_delivery_to_2026_02 (endpoint_id, event_id);
      CREATE TABLE webhook_delivery_later PARTITION OF webhook_delivery FOR VALUES FROM ('${border("whd")}') TO (MAXVALUE);
      ALTER TABLE webhook_delivery DROP CONSTRAINT webhook_delivery_of_event;
      ALTER TABLE webhook_delivery ADD CONSTRAINT webhook_delivery_of_event
        CHECK (event_id IS NULL OR id = webhook_delivery_id(endpoint_id, event_id) OR (id < '${border("whd")}' AND event_id < '${border("evt")}'))`);
    const endpoint = await endpointOn(client);
    const [old, recent] = [await eventOn(client, endpoint, -12), await eventOn(client, endpoint, -2)];
    await insertDelivery(client, endpoint, old, randomly(-12));
    await insertDelivery(client, endpoint, recent, computed);

    const { source, target } = await backUpAndRestore(from, to);
    expect(await schemaOf(target)).toEqual(await schemaOf(source));
    const restored = await connect(ownerUrl(to));
    await expect(insertDelivery(restored, endpoint, old, randomly(-12))).rejects.toMatchObject({ code: "23505" });
    await expect(insertDelivery(restored, endpoint, recent, randomly(-2))).rejects.toMatchObject({ code: "23514" });
  });

  it("is restored from a backup made between the migrations to months", async () => {
    const [from, to] = [await createDatabase({ empty: true }), await createDatabase({ empty: true })];
    const before = migrationsBefore("20261126200001");
    await migrate(ownerUrl(from), before);
    rmSync(before, { recursive: true });
    await grantRights(ownerUrl(from), from);
    const client = await connect(ownerUrl(from));
    const endpoint = await endpointOn(client);
    const old = await eventOn(client, endpoint, -1);
    await insertDelivery(client, endpoint, old, randomly(-1));
    const ids = (of: Client) => rowsOf("SELECT id FROM webhook_delivery", [], of);
    const made = await ids(client);
    await backUpAndRestore(from, to);
    const restored = await connect(ownerUrl(to));
    expect(await ids(restored)).toEqual(made);
    await expect(insertDelivery(restored, endpoint, old, randomly(-1))).rejects.toMatchObject({ code: "23505" });
    await expect(insertDelivery(restored, endpoint, old, randomly(5))).rejects.toMatchObject({ code: "23514" });
  });
});

it("months of deliveries are dropped after their retention, unless one is pending; attempts stay", async () => {
  const endpoint = await endpointOn(owner);
  const tables = monthlyTables
    .filter(({ name }) => name === "webhook_delivery")
    .map((table) => ({ ...table, retentionDays: () => 90 }));
  const keep = (months: number) => keepPartitions(undefined, { url: ownerUrl(url), now: time(months), tables });
  expect(await keep(12)).toEqual([]);
  const old = await eventOn(owner, endpoint, 13);
  await insertDelivery(owner, endpoint, old, computed);
  await insertDelivery(owner, endpoint, await eventOn(owner, endpoint, 14), computed, "pending");
  await owner.query(
    "INSERT INTO webhook_attempt (id, delivery_id, latency_ms) SELECT $2, id, 5 FROM webhook_delivery WHERE event_id = $1",
    [old, idMadeAt("wha", time(13))],
  );
  const events = async () =>
    (await rowsOf<{ event_id: string }>("SELECT event_id FROM webhook_delivery WHERE endpoint_id = $1", [endpoint]))
      .length;
  expect(await events()).toBe(2);
  expect(await keep(19)).toEqual([]);
  expect(await events()).toBe(1);
  expect(await rowsOf("SELECT FROM webhook_attempt WHERE id LIKE $1", [`${firstIdAt("wha", time(13))}%`])).toHaveLength(
    1,
  );
  await owner.query("UPDATE webhook_delivery SET status = 'failed', next_attempt_at = NULL WHERE status = 'pending'");
  expect(await keep(19)).toEqual([]);
  expect(await events()).toBe(0);
});

it("a month is made without holding up a transaction that has written an event and now adds its delivery", async () => {
  const endpoint = await endpointOn(owner);
  const writer = await connect(url);
  await writer.query("BEGIN");
  const event = await eventOn(writer, endpoint, 20);
  const tables = monthlyTables
    .filter(({ name }) => name === "webhook_delivery")
    .map((table) => ({ ...table, retentionDays: () => 3_000 }));
  const making = keepPartitions(undefined, { url: ownerUrl(url), now: time(30), tables });
  const waits = async () =>
    (
      await rowsOf(
        `SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
          WHERE a.datname = current_database() AND a.application_name = 'paydesk-partitions' AND NOT l.granted`,
      )
    ).length;
  await expect.poll(waits, { interval: 5 }).toBe(1);
  await writer.query("SET LOCAL lock_timeout = 50");
  await insertDelivery(writer, endpoint, event, computed);
  await writer.query("COMMIT");
  expect(await making).toEqual([]);
});
