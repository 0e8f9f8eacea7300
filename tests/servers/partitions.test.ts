import { rmSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { firstIdAt, type IdPrefix } from "@/lib/core/id";
import { checkPartitions } from "@/server/doctor/partitions";
import { grantRights } from "@/server/grants";
import { migrate } from "@/server/migrate";
import { keepPartitions, monthlyTables, monthStart, partitionState } from "@/server/partitions";
import { prune } from "@/server/prune";
import { idMadeAt } from "@/tests/support/id-made-at";
import { definitionsOf, migrationsBefore, rightsOn, rowsReadBy } from "@/tests/support/migrations";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";

// Months are made in the future: rows of today are in the first partition, which has all that is older.
const time = (months: number, days = 14) => new Date(monthStart(new Date(), months).getTime() + days * 86_400_000);

let url: string;
let owner: Client;
/** The role that serves requests. */
let served: Client;

async function open(connectionString: string) {
  url = connectionString;
  Object.assign(process.env, { DATABASE_URL: url, DATABASE_MIGRATE_URL: ownerUrl(url) }); // before the first query
  owner = new Client({ connectionString: ownerUrl(url) });
  served = new Client({ connectionString: url });
  await Promise.all([owner.connect(), served.connect()]);
}

beforeAll(async () => open(await createDatabase()));
afterAll(() => Promise.all([owner.end(), served.end()]));

const monthOf = (months: number) => time(months).toISOString().slice(0, 7).replace("-", "_");

const rowsOf = async <Row extends object>(sql: string, values: unknown[] = [], client = owner): Promise<Row[]> =>
  (await client.query<Row>(sql, values)).rows;

const partitionsOf = async (table: string): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      "SELECT relname::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = $1::regclass ORDER BY 1",
      [table],
    )
  ).map(({ name }) => name);

const businessOf = async (client = owner): Promise<number> =>
  (await rowsOf<{ id: number }>("INSERT INTO business (name) VALUES ('Bookshop') RETURNING id", [], client))[0]?.id ??
  0;

const insertRequest = (id: string, business: number, client = served) =>
  client.query(
    `INSERT INTO api_request (id, business_id, livemode, method, path, status, duration_ms, request_id, actor_type, actor_id, address, created_at)
     VALUES ($1, $2, false, 'GET', '/packages', 200, 1, $1, 'api_key', 'key_1', '127.0.0.1', now())`,
    [id, business],
  );

const insertMail = (id: string, business: number, status: string, client = served) =>
  client.query(
    `INSERT INTO email (id, business_id, livemode, template, "to", props, status, next_attempt_at, created_at)
     VALUES ($1, $2, true, 'receipt', 'ada@example.com', '{}', $3, CASE $3 WHEN 'queued' THEN now() END, now())`,
    [id, business, status],
  );

const insertAttempt = async (id: string, business: number, client = served) => {
  await client.query(
    `WITH endpoint AS (INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret) VALUES ('whe_' || $1, $2, false, 'https://shop.example', '')
                       RETURNING id)
     INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, type, status, next_attempt_at)
     VALUES ('whd_' || $1, $2, false, 'whe_' || $1, 'payment_link.paid', 'succeeded', NULL)`,
    [id, business],
  );
  await client.query(
    "INSERT INTO webhook_attempt (id, delivery_id, status, latency_ms) VALUES ($1, 'whd_' || $1, 200, 5)",
    [id],
  );
};

/** The tables with the same retention, so that a test decides what is past it. */
const keptFor = (days: number) => monthlyTables.map((table) => ({ ...table, retentionDays: () => days }));

const idOf = (prefix: IdPrefix, months: number) => idMadeAt(prefix, time(months));

describe("the migration", () => {
  const tables = ["api_request", "email", "webhook_attempt"];
  const last = "20261126190002_months";

  async function all(): Promise<object[][]> {
    const found: object[][] = [];
    for (const name of tables) found.push(await rowsOf(`SELECT to_jsonb(t) AS row FROM ${name} t ORDER BY id`));
    return found;
  }

  it("keeps the rows, columns, rules and indexes of a database, and reads no row under its last lock", async () => {
    const [main, checked, months] = ["20261126190000", last, "20261126200000"].map(migrationsBefore) as [
      string,
      string,
      string,
    ];
    const fresh = new Client({ connectionString: ownerUrl(await createDatabase({ empty: true })) });
    const kept = owner;
    owner = fresh;
    try {
      await fresh.connect();
      const onFresh = (other: string) => other.replace(/\/\w+(\?|$)/, `/${fresh.database}$1`);
      const address = onFresh(ownerUrl(url));
      await migrate(address, main);
      const business = await businessOf(fresh);
      for (const months of [-30, -1, 0]) {
        await insertRequest(idOf("req", months), business, fresh);
        await insertMail(idOf("eml", months), business, "sent", fresh);
        await insertAttempt(idOf("wha", months), business, fresh);
      }
      const [rows, shape] = [await all(), await definitionsOf(fresh, tables)];
      expect(rows.map(({ length }) => length)).toEqual([3, 3, 3]);
      expect(await migrate(address, checked)).toEqual([
        "20261126190000_months_bounded",
        "20261126190001_months_checked",
      ]);

      const files = () =>
        rowsOf(`
          SELECT oid, relfilenode FROM pg_class
           WHERE relkind IN ('r', 'i') AND relname ~ '^(api_request|email|webhook_attempt)' AND relname !~ '_later' ORDER BY oid`);
      const filesBefore = await files();
      expect(await rowsReadBy(fresh, last, tables)).toBe(0);
      // The control: without a checked bound, PostgreSQL reads every row.
      await fresh.query(`UPDATE pg_constraint SET convalidated = false WHERE conname LIKE 'before\\_%'`);
      expect(await rowsReadBy(fresh, last, tables)).toBe(9);
      await fresh.query(`UPDATE pg_constraint SET convalidated = true WHERE conname LIKE 'before\\_%'`);
      expect(await grantRights(address, onFresh(url))).toBe(false);
      const granted = await rightsOn(fresh, tables);
      expect(granted).toContainEqual({ privilege: expect.stringMatching(/^UPDATE of email.status to/) });
      await migrate(address, months);
      // Processes of the release before go on with theirs.
      expect(await rightsOn(fresh, tables)).toEqual(granted);
      expect(await partitionsOf("email")).toEqual([
        expect.stringMatching(/^email_later$/),
        expect.stringMatching(/^email_to_\d{4}_\d\d$/),
      ]);
      // The same files: no table and no index was made again.
      expect(await files()).toEqual(filesBefore);
      expect(await all()).toEqual(rows);
      expect(await definitionsOf(fresh, tables)).toEqual(shape);

      const later = idOf("req", 9);
      await insertRequest(later, business, fresh);
      await expect(insertRequest(later, business, fresh)).rejects.toThrow("duplicate key");
      await expect(insertRequest(idOf("req", 0), 9_999_999, fresh)).rejects.toThrow("foreign key");
      await expect(
        fresh.query("INSERT INTO webhook_attempt (id, delivery_id, latency_ms) VALUES ('wha_x', 'whd_x', 1)"),
      ).rejects.toThrow("foreign key");
      // The attempts of a deleted delivery go with it, in all partitions.
      await fresh.query("DELETE FROM webhook_delivery");
      expect(await rowsOf("SELECT FROM webhook_attempt")).toEqual([]);
    } finally {
      owner = kept;
      await fresh.end();
      for (const dir of [main, checked, months]) rmSync(dir, { recursive: true });
    }
  });
});

describe("months", () => {
  it("without expired mails of test mode are not read to delete those of others", async () => {
    const business = await businessOf();
    const insertMails = (count: number, livemode: boolean, like: string) =>
      owner.query(
        `INSERT INTO email (id, business_id, livemode, template, "to", props, status, next_attempt_at, created_at)
         SELECT left($1::text, -5) || lpad(n::text, 5, '0'), $2, $3, 'receipt', 'ada@example.com', '{}', 'sent', NULL, now()
           FROM generate_series(1, $4::int) AS n`,
        [like, business, livemode, count],
      );
    await insertMails(1_999, false, idMadeAt("eml", new Date(Date.now() - 91 * 86_400_000)));
    await insertMails(5_000, true, idOf("eml", 2));
    await owner.query("VACUUM ANALYZE email");
    const places = (
      await rowsOf<{ oid: number }>(
        "SELECT DISTINCT tableoid::int AS oid FROM email WHERE business_id = $1 ORDER BY oid",
        [business],
      )
    ).map(({ oid }) => oid);
    expect(places.length).toBe(2);
    const counted = async () => {
      const counts = await rowsOf<{ read: number; deleted: number }>(
        `SELECT (pg_stat_get_tuples_returned(oid::oid) + pg_stat_get_tuples_fetched(oid::oid))::int AS read,
                pg_stat_get_tuples_deleted(oid::oid)::int AS deleted FROM unnest($1::int[]) WITH ORDINALITY AS place (oid, n) ORDER BY n`,
        [places],
      );
      return { deleted: counts.map(({ deleted }) => deleted), read: counts.map(({ read }) => read) };
    };
    await owner.query("SELECT pg_stat_force_next_flush()");
    const { read: before } = await counted();
    await prune();
    await expect.poll(counted).toMatchObject({ deleted: [1_999, 0] });
    const { read: after } = await counted();
    expect((after[1] ?? 0) - (before[1] ?? 0)).toBe(0);
    await owner.query("DELETE FROM email WHERE business_id = $1", [business]);
  });

  it("are made ahead, and rows go to theirs; the role that serves requests reaches them through the table alone", async () => {
    const business = await businessOf();
    const now = time(4);
    expect(await keepPartitions(undefined, { now, tables: keptFor(3_000) })).toEqual([]);
    for (const { name } of monthlyTables) expect((await partitionsOf(name)).length).toBeGreaterThanOrEqual(5);
    for (const months of [0, 3, 4, 5]) await insertRequest(idOf("req", months), business);
    const places = await rowsOf<{ place: string }>(
      "SELECT tableoid::regclass::text AS place FROM api_request ORDER BY id",
    );
    expect(new Set(places.map(({ place }) => place)).size).toBeGreaterThanOrEqual(3);
    expect(places.map(({ place }) => place)).not.toContain("api_request_later");
    expect(await grantRights(ownerUrl(url), url)).toBe(false);
    for (const { name } of monthlyTables)
      for (const partition of await partitionsOf(name))
        for (const sql of ["SELECT FROM", "DELETE FROM", "TRUNCATE", "DROP TABLE"])
          await expect(served.query(`${sql} ${partition}`)).rejects.toMatchObject({ code: "42501" });
  });

  it("that are missing lose no row: the doctor names them, and the next run makes them", async () => {
    const business = await businessOf();
    const now = time(20);
    const found = async () => (await checkPartitions(now)).map(({ says }) => says);
    expect(await found()).toContainEqual(expect.stringMatching(/^api_request has partitions only until/));
    const ids = [idOf("req", 15), idOf("req", 19), idOf("req", 20)];
    for (const id of ids) await insertRequest(id, business);
    expect(await found()).toContainEqual(expect.stringMatching(/^api_request has no partition for rows since/));
    const table = monthlyTables.find(({ name }) => name === "api_request");
    if (!table) throw new Error();
    expect(await partitionState(table, now)).toMatchObject({ late: true });
    expect(await keepPartitions(undefined, { now, tables: keptFor(3_000) })).toEqual([]);
    expect(await found()).not.toContainEqual(expect.stringMatching(/^api_request has/));
    const left = await rowsOf<{ id: string; place: string }>(
      "SELECT id, tableoid::regclass::text AS place FROM api_request WHERE id = ANY ($1) ORDER BY id",
      [ids],
    );
    expect(left.map(({ id }) => id)).toEqual(ids);
    expect(new Set(left.map(({ place }) => place))).toEqual(
      new Set([expect.stringMatching(/^api_request_to_\d{4}_\d\d$/)]),
    );
  });

  it("that are past their retention are dropped while readers read and writers write, by one of two workers", async () => {
    const business = await businessOf();
    const now = time(24);
    expect(await keepPartitions(undefined, { now, tables: keptFor(3_000) })).toEqual([]);
    const [old, kept] = [idOf("req", 22), idOf("req", 24)];
    for (const id of [old, kept]) await insertRequest(id, business);
    await insertMail(idOf("eml", 22), business, "queued");
    await insertMail(idOf("eml", 21), business, "sent");
    const has = async (client: Client) =>
      (
        await rowsOf<{ id: string }>(
          "SELECT id FROM api_request WHERE id = ANY ($1) ORDER BY id",
          [[old, kept]],
          client,
        )
      ).map(({ id }) => id);
    const drop = () => keepPartitions(undefined, { now, tables: keptFor(30) });

    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query("BEGIN");
    expect(await has(reader)).toEqual([old, kept]);
    const dropping = Promise.all([drop(), drop()]);
    // It waits for the reader, and nothing waits for it.
    let slowest = 0;
    for (let n = 0; n < 20; n++) {
      const started = performance.now();
      await insertRequest(idMadeAt("req", now), business);
      await served.query("SELECT count(*) FROM api_request");
      slowest = Math.max(slowest, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(slowest).toBeLessThan(1_500);
    expect(await partitionsOf("api_request")).toEqual(expect.arrayContaining([expect.stringMatching(/_to_/)]));
    await reader.query("COMMIT");
    await reader.end();
    expect(await dropping).toEqual([[], []]);

    expect(await has(served)).toEqual([kept]);
    expect(await rowsOf("SELECT to_regclass($1) AS left", [`api_request_${monthOf(22)}`])).toEqual([{ left: null }]);
    // A month with a mail that is still to be sent stays whole.
    expect(await partitionsOf("email")).toContain(`email_${monthOf(22)}`);
    expect(await rowsOf("SELECT FROM email WHERE status = 'sent'")).toEqual([]);
    await owner.query("UPDATE email SET status = 'sent', next_attempt_at = NULL");
    expect(await drop()).toEqual([]);
    expect(await partitionsOf("email")).not.toContain(`email_${monthOf(22)}`);
  });

  it("give their table new statistics when they change, and once a day", async () => {
    const now = time(27);
    const analyzed = async () =>
      (await rowsOf<{ at: Date | null }>("SELECT pg_stat_get_last_analyze_time('api_request'::regclass) AS at"))[0]?.at;
    const keep = async () => expect(await keepPartitions(undefined, { now, tables: keptFor(3_000) })).toEqual([]);
    await owner.query("SELECT pg_stat_reset_single_table_counters('api_request'::regclass)");
    await keep();
    const first = await analyzed();
    expect(first).toBeInstanceOf(Date);
    expect(
      await rowsOf(
        "SELECT FROM pg_stats WHERE schemaname = 'public' AND tablename = 'api_request' AND inherited LIMIT 1",
      ),
    ).toHaveLength(1);
    await keep();
    expect(await analyzed()).toEqual(first);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3_600_000 });
    await keep().finally(() => vi.useRealTimers());
    const second = await analyzed();
    expect(second?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
    await owner.query(`DROP TABLE api_request_${monthOf(29)}`);
    await owner.query(`ALTER TABLE api_request DETACH PARTITION api_request_later`);
    await owner.query(
      `ALTER TABLE api_request ATTACH PARTITION api_request_later FOR VALUES FROM ('${firstIdAt("req", monthStart(time(29)))}') TO (MAXVALUE)`,
    );
    await keep();
    expect((await analyzed())?.getTime()).toBeGreaterThan(second?.getTime() ?? 0);
  });

  it("that an interrupted run has begun to drop are dropped by the next one; detached tables of the operator stay", async () => {
    const business = await businessOf();
    const now = time(30);
    expect(await keepPartitions(undefined, { now, tables: keptFor(3_000) })).toEqual([]);
    await insertRequest(idOf("req", 27), business);
    await owner.query(`ALTER TABLE api_request DETACH PARTITION api_request_${monthOf(26)}`);
    const reader = new Client({ connectionString: url });
    await reader.connect();
    await reader.query("BEGIN; SELECT count(*) FROM api_request");
    const stopped = await keepPartitions(AbortSignal.abort(), { now, tables: keptFor(30) });
    expect(stopped).toEqual([expect.stringMatching(/^api_request: .*(lock|statement) timeout/)]);
    const pending = await rowsOf(
      "SELECT FROM pg_inherits WHERE inhparent = 'api_request'::regclass AND inhdetachpending",
    );
    expect(pending).toHaveLength(1);
    await reader.query("COMMIT");
    await reader.end();
    expect(await keepPartitions(undefined, { now, tables: keptFor(30) })).toEqual([]);
    expect(await partitionsOf("api_request")).toEqual(
      [29, 30, 31, 32].map((months) => `api_request_${monthOf(months)}`).concat("api_request_later"),
    );
    expect(await rowsOf("SELECT to_regclass($1)::text AS left", [`api_request_${monthOf(26)}`])).toEqual([
      { left: `api_request_${monthOf(26)}` },
    ]);
  });
});
