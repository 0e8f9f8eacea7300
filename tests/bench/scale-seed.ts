/** The data of the scale part: one business with little of everything and one with much, written in minutes. */
import { createHash } from "node:crypto";
import type { Client } from "pg";
import { moveChanges } from "@/lib/ledger/sums";
import { recountSums } from "@/tests/support/sums";

/** Rows of one business. */
export interface Amounts {
  links: number;
  subscriptions: number;
  events: number;
  /** Payments, refunds, saved cards, mails, requests, webhook deliveries and audit entries, each. */
  others: number;
}

export const seededTables = [
  "payment_link",
  "subscription",
  "event",
  "payment",
  "refund",
  "tokenization",
  "email",
  "api_request",
  "webhook_delivery",
  "audit_entry",
  "customer",
];

/** The first row is the oldest. Times are spread evenly over two years. */
const at = "now() - (1 - n::float8 / $2::int) * interval '730 days'";

const idOf = (prefix: string, n = "n") =>
  `'${prefix}_' || lpad($1::int::text, 4, '0') || lpad((${n})::text, 10, '0') || left(md5((${n})::text), 22)`;

/**
 * Words of the titles, for the search: "order" in each, "deposit" in one of 1,000, "quetzal" in the oldest row alone,
 * and "jubilee" in each of one month, a year ago.
 */
const title = `CASE WHEN n = 1 THEN 'Quetzal ' WHEN n % 1000 = 0 THEN 'Deposit ' ELSE '' END
  || CASE WHEN n::float8 / $2::int BETWEEN 0.50 AND 0.54 THEN 'Jubilee ' ELSE '' END || 'Order ' || n`;

/** Of every second row. The channel is the same for all, the number of the order for none. */
const metadata = "CASE WHEN n % 2 = 0 THEN jsonb_build_object('order_id', n::text, 'channel', 'web') ELSE '{}' END";

const customer = "'c' || n % greatest($2::int / 10, 1) || '@example.com'";

const subscriber = "'s' || n || '@example.com'";

const packages = `
  INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
  SELECT ${idOf("pkg")}, $1::int, false, 'Package ' || n, 500, 'monthly', 'EUR' FROM generate_series(0, 9) AS n`;

const endpoint = `
  INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret)
  SELECT ${idOf("whe")}, $1::int, false, 'https://shop.example/hook', '' FROM generate_series(0, 0) AS n`;

const statements: [amount: keyof Amounts, sql: string][] = [
  [
    "subscriptions",
    `INSERT INTO subscription (id, business_id, livemode, package_id, email, phone_no, status, anchor, timezone, created_at, ended_at, next_charge_at)
     SELECT ${idOf("sub")}, $1::int, false, ${idOf("pkg", "n % 10")}, ${subscriber}, '+1555' || lpad(n::text, 8, '0'),
            CASE n % 10 WHEN 0 THEN 'cancel' WHEN 1 THEN 'created' ELSE 'active' END, '2026-01-01T00:00:00', 'UTC', ${at},
            CASE WHEN n % 10 = 0 THEN ${at} + interval '1 day' END, CASE WHEN n % 10 > 0 THEN now() + n * interval '1 minute' END
       FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "links",
    `INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, reference, metadata, status, paid_at, created_at, expires_at)
     SELECT ${idOf("pl")}, $1::int, false, ${customer}, CASE WHEN n % 20 = 0 THEN 'GBP' ELSE 'EUR' END, 500 + n % 5000, ${title},
            CASE WHEN n % 2 = 0 THEN 'INV-' || n END, ${metadata},
            CASE WHEN n % 4 > 0 THEN 'Paid' WHEN n % 5 = 0 THEN 'Inactive' ELSE 'Active' END,
            CASE WHEN n % 4 > 0 THEN ${at} END, ${at}, CASE WHEN n % 3 = 0 THEN now() + n * interval '1 minute' END
       FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "events",
    `INSERT INTO event (id, business_id, livemode, type, resource_id, sequence, payment_link_id, data, actor_type, created_at)
     SELECT ${idOf("evt")}, $1::int, false, CASE n % 2 WHEN 0 THEN 'payment_link.created' ELSE 'payment_link.paid' END,
            ${idOf("pl", "(n + 1) / 2")}, 1 + n % 2, ${idOf("pl", "(n + 1) / 2")}, '{"_id":"an example"}', 'api_key', ${at}
       FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO tokenization (id, business_id, livemode, email, title, description, token, status, expires_at, expiry_recorded, created_at)
     SELECT ${idOf("tkn")}, $1::int, false, ${customer}, ${title}, 'Saved once', ${idOf("tk")},
            CASE n % 10 WHEN 0 THEN 'revoked' ELSE 'pending' END, ${at}, true, ${at} FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                          link_words, metadata, reason, receipt_token, fee_cents, fee_currency, risk, settled_at, created_at)
     SELECT ${idOf("pay")}, $1::int, false, ${idOf("pl")}, 'sandbox', ${idOf("pay")}, 500 + n % 5000, 'EUR',
            CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'succeeded' END,
            ${title} || ' ' || ${customer} || coalesce(CASE WHEN n % 2 = 0 THEN ' INV-' || n END, ''), ${metadata},
            CASE WHEN n % 50 = 0 THEN 'card_declined' END, CASE WHEN n % 50 <> 0 THEN ${idOf("receipt")} END, CASE WHEN n % 50 <> 0 THEN 30 END,
            CASE WHEN n % 50 <> 0 THEN 'EUR' END, CASE WHEN n % 20 = 0 THEN 'elevated' WHEN n % 500 = 1 THEN 'highest' ELSE 'normal' END,
            ${at}, ${at} FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, status, settled_at, created_at)
     SELECT ${idOf("ref")}, $1::int, false, ${idOf("pay")}, ${idOf("pl")}, ${idOf("ref")}, 100, 'EUR', 'succeeded', ${at}, ${at}
       FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO email (id, business_id, livemode, payment_link_id, template, "to", props, status, next_attempt_at, created_at)
     SELECT ${idOf("eml")}, $1::int, false, ${idOf("pl")}, CASE n % 2 WHEN 0 THEN 'receipt' ELSE 'payment_link' END,
            ${customer}, '{}', 'sent', NULL, ${at} FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO api_request (id, business_id, livemode, method, path, status, duration_ms, request_id, actor_type, actor_id, address, created_at)
     SELECT ${idOf("req")}, $1::int, false, CASE n % 4 WHEN 0 THEN 'POST' ELSE 'GET' END,
            CASE n WHEN 1 THEN '/api/rare/one' ELSE '/api/payment-links/' || n END, CASE n % 100 WHEN 0 THEN 422 ELSE 200 END, 5,
            'request-' || n, 'api_key', 'key_bench', '127.0.0.1', ${at} FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, event_id, type, status, attempt_count, next_attempt_at, succeeded_at, created_at)
     SELECT webhook_delivery_id(${idOf("whe", "0")}, ${idOf("evt")}), $1::int, false, ${idOf("whe", "0")}, ${idOf("evt")},
            CASE n % 2 WHEN 0 THEN 'payment_link.created' ELSE 'payment_link.paid' END,
            CASE n % 100 WHEN 0 THEN 'failed' ELSE 'succeeded' END, 1, NULL, ${at}, ${at} FROM generate_series(1, $2::int) AS n`,
  ],
  [
    "others",
    `INSERT INTO audit_entry (id, business_id, livemode, actor_type, actor_id, actor_name, action, resource_id, created_at)
     SELECT ${idOf("aud")}, $1::int, CASE n % 3 WHEN 0 THEN NULL ELSE false END, 'user', 'usr_' || n % 50, 'p' || n % 50 || '@example.com',
            CASE n % 4 WHEN 0 THEN 'settings.changed' ELSE 'session.signed_in' END,
            CASE n % 4 WHEN 0 THEN 'settings' ELSE 'res_' || n % 1000 END, ${at}
       FROM generate_series(1, $2::int) AS n`,
  ],
];

/** Gives metadata to one customer in ten: the same tier to all of them, and to each an id of their own. */
const customerMetadata = `
  UPDATE customer SET metadata = jsonb_build_object('crm_id', split_part(email, '@', 1), 'tier', 'gold')
   WHERE business_id = $1 AND email LIKE '%7@%'`;

/** The id of a seeded row, as in the SQL. */
export function benchId(prefix: string, businessId: number, n: number): string {
  const hash = createHash("md5").update(String(n)).digest("hex");
  return `${prefix}_${String(businessId).padStart(4, "0")}${String(n).padStart(10, "0")}${hash.slice(0, 22)}`;
}

/** Settings of a database that is thrown away: no waiting for the disk. */
export async function tune(client: Client): Promise<void> {
  for (const setting of ["fsync = off", "synchronous_commit = off", "full_page_writes = off", "max_wal_size = '4GB'"])
    await client.query(`ALTER SYSTEM SET ${setting}`);
  await client.query("SELECT pg_reload_conf()");
}

/** Runs `work`, which writes many rows. The search indexes get the entries of all rows at its end, which is faster than row by row. */
export async function withPendingEntries<T>(client: Client, work: () => Promise<T>): Promise<T> {
  const { rows: indexes } = await client.query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = ANY ($1::regclass[]) AND relkind = 'i' AND relam = (SELECT oid FROM pg_am WHERE amname = 'gin')`,
    [seededTables],
  );
  await client.query("SET gin_pending_list_limit = '1GB'");
  for (const { name } of indexes) await client.query(`ALTER INDEX ${name} SET (fastupdate = on)`);
  const result = await work();
  for (const { name } of indexes) {
    await client.query(`ALTER INDEX ${name} SET (fastupdate = off)`);
    await client.query("SELECT gin_clean_pending_list($1::regclass)", [name]);
  }
  await client.query("RESET gin_pending_list_limit");
  return result;
}

/**
 * Writes a business's rows.
 * @param email the customer of all links and subscriptions; by default they have many
 * @returns its id
 */
export async function seedBusiness(client: Client, amounts: Amounts, email?: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>("INSERT INTO business (name) VALUES ('Scale') RETURNING id");
  const businessId = rows[0]?.id ?? 0;
  for (const sql of [packages, endpoint]) await client.query(sql, [businessId]);
  await withPendingEntries(client, async () => {
    for (const [amount, sql] of statements) {
      const ofOne = email && (amount === "links" || amount === "subscriptions");
      const text = ofOne ? sql.replace(customer, `'${email}'`).replace(subscriber, `'${email}'`) : sql;
      await client.query(text, [businessId, amounts[amount]]);
    }
    await client.query(customerMetadata, [businessId]);
  });
  await client.query("VACUUM customer"); // the update has left old versions of rows
  await recountSums(client, businessId);
  while (await moveChanges());
  return businessId;
}

/** Writes a few rows of each table for each of many businesses, beside which the lists of a large one stay as short. */
export async function seedSmallBusinesses(client: Client, businesses: number, rowsEach: number): Promise<void> {
  const { rows } = await client.query<{ first: number }>(
    `WITH small AS (INSERT INTO business (name) SELECT 'Small' FROM generate_series(1, $1::int) RETURNING id)
     SELECT min(id) AS first FROM small`,
    [businesses],
  );
  const first = rows[0]?.first ?? 0;
  const each = `FROM generate_series(${first}, ${first + businesses - 1}) AS small(id), generate_series(`;
  const ofAll = (sql: string) => sql.replaceAll("$1::int", "small.id").replace("FROM generate_series(", each);
  for (const sql of [packages, endpoint]) await client.query(ofAll(sql));
  await withPendingEntries(client, async () => {
    for (const [, sql] of statements) await client.query(ofAll(sql).replaceAll("$2::int", String(rowsEach)));
  });
}

interface Definition {
  table: string;
  name: string;
  definition: string;
}

/** Runs `work` without the tables' indexes, constraints and log, which would multiply its time, and makes them again. */
export async function withoutIndexes(client: Client, work: () => Promise<void>): Promise<void> {
  const tables = seededTables.filter((table) => table !== "customer"); // triggers fill it, by its unique index
  const { rows: constraints } = await client.query<Definition>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
      WHERE conparentid = 0 AND contype IN ('f', 'c', 'u', 'p') AND (conrelid = ANY ($1::regclass[]) OR confrelid = ANY ($1::regclass[]))
      ORDER BY contype = 'f' DESC, conname`,
    [tables],
  );
  const { rows: indexes } = await client.query<Definition>(
    `SELECT indrelid::regclass::text AS table, indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition FROM pg_index
      WHERE indrelid = ANY ($1::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')`,
    [tables],
  );
  for (const { table, name } of constraints) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
  await work();
  await client.query("SET maintenance_work_mem = '512MB'");
  for (const { definition } of indexes) await client.query(definition);
  for (const { table, name, definition } of [...constraints].reverse())
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  await client.query("VACUUM ANALYZE");
}
