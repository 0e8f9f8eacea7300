import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, expect, it } from "vitest";
import { migrate } from "@/server/migrate";
import { databaseUrl, ownerUrl, template } from "@/tests/support/postgres";

const initial = "20261122120000_initial";
const all = readdirSync("prisma/migrations")
  .filter((name) => /^\d/.test(name))
  .sort();

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const owner = ownerUrl(process.env.DATABASE_URL ?? "");

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

/** A database in the PostgreSQL of this test run, empty or migrated, dropped after the test. */
async function createDatabase({ migrated = false } = {}) {
  const server = await connect(owner);
  const name = `migrate_${randomBytes(6).toString("hex")}`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE ${migrated ? template : "template0"} STRATEGY FILE_COPY`);
  cleanups.push(() => server.query(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = databaseUrl(owner, name);
  const client = await connect(url);
  client.on("error", () => undefined); // dropping the database closes the connection
  return { url, client, rows: async (sql: string) => (await client.query(sql)).rows };
}

/** A copy of prisma/migrations with additional migrations, by name. */
function migrationsWith(more: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "paydesk-migrations-"));
  cleanups.push(() => rmSync(dir, { recursive: true }));
  cpSync("prisma/migrations", dir, { recursive: true });
  for (const [name, sql] of Object.entries(more)) {
    mkdirSync(join(dir, name), { recursive: true });
    writeFileSync(join(dir, name, "migration.sql"), sql);
  }
  return dir;
}

/** Every object of the schema as text, to compare two databases. Ignores the order of columns. */
const schemaObjects = `
  SELECT concat_ws(' ', 'column', table_name, column_name, udt_name, character_maximum_length, datetime_precision,
                   'nullable', is_nullable, 'default', column_default) AS object
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
    FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
   WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', 'view', viewname, definition) FROM pg_views WHERE schemaname = 'public'
  UNION ALL
  SELECT concat_ws(' ', 'relation', relname, relkind, relpersistence)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
  ORDER BY 1`;

/** The rows of every table except the migration history. */
async function content({ rows }: Awaited<ReturnType<typeof createDatabase>>) {
  const tables = await rows(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables)
    found[name] = await rows(`SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY t::text`);
  return found;
}

const history = `
  SELECT migration_name AS name, finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS rolled_back
    FROM _prisma_migrations ORDER BY 1`;
const applied = (...names: string[]) => names.map((name) => ({ name, finished: true, rolled_back: false }));

const squashed = readFileSync("tests/support/schema-before-squash.sql", "utf8")
  .split(/^-- migration (?=\d)/m)
  .slice(1)
  .map((part) => {
    const [name = ""] = part.split("\n", 1);
    const sql = part.slice(name.length + 1);
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });

/** A database with the given old migrations and a paid business. */
async function databaseBeforeSquash(migrations = squashed) {
  const database = await createDatabase();
  const { client } = database;
  await client.query(`
    CREATE TABLE _prisma_migrations (
      id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz,
      migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
      started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`);
  const record = `
    INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, rolled_back_at)
    VALUES (gen_random_uuid(), $1, $2, $3, $4)`;
  await client.query(record, [migrations[0]?.name, "of a start that failed", null, new Date()]);
  for (const { name, sql, checksum } of migrations) {
    await client.query(sql);
    await client.query(record, [name, checksum, new Date(), null]);
  }
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO staff_user (id, email, name, password_hash) VALUES ('usr_1', 'ada@example.com', 'Ada', 'hash');
    INSERT INTO membership (business_id, user_id, role) VALUES (7, 'usr_1', 'owner');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, paid_at)
      VALUES ('pl_1', 7, true, 'bob@example.com', 'EUR', 1050, 'Order', 'Paid', now());
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         settled_at, receipt_token)
      VALUES ('pay_1', 7, true, 'pl_1', 'sandbox', 'pay_1', 1050, 'EUR', 'succeeded', now(), 'token');
    INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency)
      VALUES (7, true, 'payment', 'pay_1', 'gateway', 'sales', 1050, 'EUR');
    INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, status,
                        failure_reason, settled_at)
      VALUES ('ref_1', 7, true, 'pay_1', 'pl_1', 'ref_1', 250, 'EUR', 'failed', 'card_gone', '2026-04-02T10:07:00Z');
    INSERT INTO posting (business_id, livemode, kind, payment_id, refund_id, debit, credit, amount_cents, currency, created_at)
      VALUES (7, true, 'refund', 'pay_1', 'ref_1', 'refunds', 'gateway', 250, 'EUR', '2026-03-28T09:00:00Z'),
             (7, true, 'refund_returned', 'pay_1', 'ref_1', 'gateway', 'refunds', 250, 'EUR', '2026-04-02T10:07:00Z');
    INSERT INTO tokenization (id, business_id, livemode, email, title, description, token, expires_at)
      VALUES ('tkn_1', 7, true, 'bob@example.com', 'Card', 'For later', 'plain', now())`);
  return database;
}

it("adopts a database of the 21 migrations before the squash, with its data", async () => {
  const before = await databaseBeforeSquash();
  const data = await content(before);
  const initialAlone = migrationsWith({});
  for (const name of all.slice(1)) rmSync(join(initialAlone, name), { recursive: true });
  expect(await migrate(before.url, initialAlone)).toEqual([]);
  expect(await before.rows(history)).toEqual(applied(initial));
  expect(await content(before)).toEqual(data);

  const fresh = await createDatabase();
  expect(await migrate(fresh.url, initialAlone)).toEqual([initial]);
  expect(await before.rows(schemaObjects)).toEqual(await fresh.rows(schemaObjects));
});

it("adopts such a database and applies the later migrations in the same start", async () => {
  const before = await databaseBeforeSquash();
  expect(await migrate(before.url)).toEqual(all.slice(1));
  expect(await before.rows(history)).toEqual(applied(...all));
  const sum = { business_id: 7, livemode: true, currency: "EUR", collected_cents: "1050", collected_count: 1 };
  expect(await before.rows("SELECT * FROM settled_sum ORDER BY minutes")).toMatchObject([
    { ...sum, minutes: 15 },
    { ...sum, minutes: 60 },
  ]);
  const [settled_at, returned_at] = [new Date("2026-03-28T09:00:00Z"), new Date("2026-04-02T10:07:00Z")];
  expect(await before.rows("SELECT settled_at, returned_at FROM refund")).toEqual([{ settled_at, returned_at }]);
  expect(await before.rows("SELECT settled_at, cents::int, count FROM settled_change ORDER BY settled_at")).toEqual([
    { settled_at, cents: 250, count: 1 },
    { settled_at: returned_at, cents: -250, count: -1 },
  ]);
  const unsealed = { token: "plain", sealed_token: null, token_hash: null };
  expect(await before.rows("SELECT token, sealed_token, token_hash FROM tokenization")).toEqual([unsealed]);
  expect(await migrate(before.url)).toEqual([]);
});

it("refuses a database before the last of the 21, and says which commit to start first", async () => {
  const { url, rows } = await databaseBeforeSquash(squashed.slice(0, -1));
  const rowsBefore = await rows(history);
  await expect(migrate(url)).rejects.toThrow("Start that commit once");
  expect(await rows(history)).toEqual(rowsBefore);
});

it("refuses a migration that was changed after it was applied, and a database of a newer version", async () => {
  const { url, rows } = await createDatabase({ migrated: true });
  const name = "20990101000000_next";
  await migrate(url, migrationsWith({ [name]: "CREATE TABLE next ()" }));
  await expect(migrate(url, migrationsWith({ [name]: "CREATE TABLE other ()" }))).rejects.toThrow(
    `The migration ${name} was changed after this database had applied it`,
  );
  await expect(migrate(url)).rejects.toThrow("already migrated by a newer version");
  expect(await rows("SELECT to_regclass('other') AS other")).toEqual([{ other: null }]);
});

it("rolls back a failed migration, and applies it once it is fixed", async () => {
  const { url, rows } = await createDatabase();
  const name = "20990101000000_next";
  const failing = migrationsWith({ [name]: "CREATE TABLE next (); SELECT 1 / 0" });
  await expect(migrate(url, failing)).rejects.toThrow(
    `The migration ${name} failed and was rolled back: division by zero`,
  );
  expect(await rows(history)).toEqual(applied(...all));
  expect(await rows("SELECT to_regclass('next') AS next")).toEqual([{ next: null }]);
  expect(await migrate(url, migrationsWith({ [name]: "CREATE TABLE next ()" }))).toEqual([name]);
});

it("applies each migration once when several processes start at once", async () => {
  const { url, rows } = await createDatabase();
  const results = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(results.flat()).toEqual(all);
  expect(await rows(history)).toEqual(applied(...all));
});

/** A process of its own that migrates, so that the test can kill it. */
function startProcess(url: string, dir: string): ChildProcess {
  const script = `import("./server/migrate.ts").then(({ migrate }) => migrate(process.env.DATABASE_URL, ${JSON.stringify(dir)}))`;
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ["--import", "tsx", "--eval", script], { env, stdio: "inherit" });
  cleanups.push(() => child.kill("SIGKILL"));
  return child;
}

it("rolls back the migration of a killed process, and applies it at the next start", async () => {
  const { url, client, rows } = await createDatabase({ migrated: true });
  // A migration begins although another schema's table is locked.
  await client.query("CREATE SCHEMA other; CREATE TABLE other.held ()");
  const name = "20990101000000_next";
  const dir = migrationsWith({ [name]: "CREATE TABLE next (); LOCK TABLE other.held; CREATE TABLE later ()" });
  const waiting = `
    SELECT pid FROM pg_stat_activity
     WHERE application_name = 'paydesk-migrate' AND datname = current_database() AND wait_event = 'relation'`;
  const holder = await connect(url);
  holder.on("error", () => undefined);
  await holder.query("BEGIN; LOCK TABLE other.held IN ACCESS SHARE MODE");
  const child = startProcess(url, dir);
  await expect.poll(() => rows(waiting)).toHaveLength(1);
  const [killed] = await rows(waiting);
  child.kill("SIGKILL");
  await once(child, "exit");

  const again = migrate(url, dir);
  // PostgreSQL ends the dead process's session although another session holds the lock.
  await expect.poll(() => rows(waiting)).toEqual([{ pid: expect.not.toBeOneOf([killed.pid]) }]);
  expect((await client.query(history)).rows).toEqual(applied(...all));
  await holder.query("COMMIT");
  expect(await again).toEqual([name]);
  expect(await rows(history)).toEqual(applied(...all, name));
  expect(await migrate(url, dir)).toEqual([]);
});

it("keeps the prices that subscriptions pay, were told, or wait for, and closes no payment that no gateway closed", async () => {
  const { url, client, rows } = await createDatabase();
  const before = migrationsWith({});
  const announced = "20261125100000_announced_prices";
  for (const name of all.filter((one) => one >= announced)) rmSync(join(before, name), { recursive: true });
  await migrate(url, before);
  const mail = (id: string, status: string) => `
    INSERT INTO email (id, business_id, livemode, subscription_id, template, "to", props, status, next_attempt_at, created_at)
    VALUES ('eml_00${id}', 7, true, '${id}', 'price_changing', 'ada@example.com',
            '{"subscription":{"price_change":{"amount_cents":1700}}}', '${status}',
            ${status === "queued" ? "now()" : "NULL"}, now());`;
  await client.query(`
    INSERT INTO business (id, name) VALUES (7, 'Bookshop');
    INSERT INTO package (id, business_id, livemode, name, amount_cents, currency, frequency)
      VALUES ('pkg_1', 7, true, 'Reading club', 1700, 'EUR', 'monthly');
    INSERT INTO subscription (id, business_id, livemode, package_id, email, anchor, timezone, amount_cents,
                              next_amount_cents, next_amount_from, next_amount_told)
      SELECT id, 7, true, 'pkg_1', id || '@example.com', '2026-01-31T00:00:00', 'Europe/Berlin', 1500, 1700, starts, told
        FROM (VALUES ('told', timestamptz '2099-01-01Z', true), ('told_late', '2099-01-01Z', true), ('waits', '2026-01-01Z', false),
                     ('failed', '2099-01-01Z', false), ('pays', '2026-01-01Z', true)) AS s(id, starts, told);
    ${mail("told", "sent")} ${mail("told_late", "queued")} ${mail("waits", "queued")} ${mail("failed", "failed")}
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title)
      VALUES ('pl_1', 7, true, 'bob@example.com', 'EUR', 1050, 'Order');
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         reason, settled_at, settled_by, settled_reason, closing_answered_at)
      SELECT id, 7, true, 'pl_1', 'sandbox', id, 1050, 'EUR', 'failed', 'processing_error', '2026-09-01Z', 'Ada', 'Unknown', closed
        FROM (VALUES ('assumed', timestamptz '2026-09-01Z'), ('closed', '2026-09-02Z')) AS p(id, closed)`);
  expect(await migrate(url)).toEqual(all.filter((one) => one >= announced));
  const [later, past] = [new Date("2099-01-01Z"), new Date("2026-01-01Z")];
  const none = { next: null, next_from: null, announced: null, announced_from: null };
  expect(
    await rows(`
      SELECT id, amount_cents, next_amount_cents AS next, next_amount_from AS next_from, announced_amount_cents AS announced,
             announced_amount_from AS announced_from FROM subscription ORDER BY id`),
  ).toEqual([
    { ...none, id: "failed", amount_cents: 1500, announced: 1700 },
    { ...none, id: "pays", amount_cents: 1500, next: 1700, next_from: past },
    { ...none, id: "told", amount_cents: 1500, next: 1700, next_from: later },
    { ...none, id: "told_late", amount_cents: 1500, announced: 1700, announced_from: later },
    { ...none, id: "waits", amount_cents: 1500, announced: 1700, announced_from: past },
  ]);
  expect(await rows("SELECT id, closed_at FROM payment ORDER BY id")).toEqual([
    { id: "assumed", closed_at: null },
    { id: "closed", closed_at: new Date("2026-09-02Z") },
  ]);
});
