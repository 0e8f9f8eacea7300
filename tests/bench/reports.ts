/** What the overview, the customers and the search cost when there is much behind them. docs/performance.md says how to read it. */
import { deepEqual, equal } from "node:assert/strict";
import type { Client } from "pg";
import { db } from "@/lib/core/db";
import { moveChanges } from "@/lib/ledger/sums";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { listCustomers } from "@/lib/resources/customers/service";
import { overview } from "@/lib/resources/reports/service";
import { refreshFigures } from "@/lib/resources/reports/stored-figures";
import { searchAll } from "@/lib/resources/search/service";
import { computedFigures } from "@/server/jobs";
import { recountSums } from "@/tests/support/sums";
import { median } from "./load";
import { printTable } from "./report";
import type { Sizes } from "./sizes";

/**
 * Paid links of two years, a minute or so apart, each fiftieth failed once before; and as many e-mails as a tenth of them. Beside
 * them a fifth as many open links, and a fiftieth as many active subscriptions.
 */
async function seedPayments(client: Client, businessId: number, count: number): Promise<void> {
  const at = "now() - (n::float8 / $2::int) * interval '730 days'";
  await client.query(
    `INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, paid_at, created_at)
     SELECT 'pl_r' || n, $1::int, false, 'c' || n % ($2::int / 10) || '@example.com', 'EUR', 500 + n % 5000, 'Order ' || n,
            'Paid', ${at}, ${at} FROM generate_series(1, $2::int) AS n`,
    [businessId, count],
  );
  await client.query(
    `INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, created_at)
     SELECT 'pl_o' || n, $1::int, false, 'c' || n % ($2::int / 10) || '@example.com', 'EUR', 500, 'Order ' || n, 'Active', ${at}
       FROM generate_series(1, $2::int / 5) AS n`,
    [businessId, count],
  );
  await client.query(
    `INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
     VALUES ('pkg_r', $1, false, 'Reading club', 1500, 'monthly', 'EUR')`,
    [businessId],
  );
  await client.query(
    `INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone)
     SELECT 'sub_r' || n, $1::int, false, 'pkg_r', 'c' || n % ($2::int / 10) || '@example.com', 'active', '2026-01-01T00:00:00', 'UTC'
       FROM generate_series(1, $2::int / 50) AS n`,
    [businessId, count],
  );
  await client.query(
    `INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                          card_brand, card_last4, reason, receipt_token, fee_cents, fee_currency, settled_at, created_at)
     SELECT 'pay_r' || n, $1::int, false, 'pl_r' || n, 'sandbox', 'pay_r' || n, 500 + n % 5000, 'EUR',
            CASE WHEN n % 50 = 0 THEN 'failed' ELSE 'succeeded' END, 'visa', lpad((n % 10000)::text, 4, '0'), CASE WHEN n % 50 = 0 THEN 'card_declined' END,
            CASE WHEN n % 50 <> 0 THEN 'receipt' || n END, CASE WHEN n % 50 <> 0 THEN 30 END,
            CASE WHEN n % 50 <> 0 THEN 'EUR' END, ${at}, ${at} FROM generate_series(1, $2::int) AS n`,
    [businessId, count],
  );
  await recountSums(client, businessId);
  while (await moveChanges());
  await client.query("VACUUM ANALYZE");
}

async function times(work: () => Promise<unknown>, asked: number): Promise<number[]> {
  const all: number[] = [];
  await work();
  for (let n = 0; n < asked; n++) {
    const begun = performance.now();
    await work();
    all.push(performance.now() - begun);
  }
  return all.sort((a, b) => a - b);
}

/** @throws AssertionError when the overview differs from the sum of the rows */
async function checkOverview(client: Client, businessId: number, { period }: Awaited<ReturnType<typeof overview>>) {
  const { rows } = await client.query(
    `SELECT count(*) FILTER (WHERE status = 'succeeded')::int AS collected, count(*) FILTER (WHERE status = 'failed')::int AS failed,
            sum(amount_cents) FILTER (WHERE status = 'succeeded')::float8 AS cents
       FROM payment WHERE business_id = $1
        AND (coalesce(settled_at, created_at) AT TIME ZONE 'Europe/Berlin')::date BETWEEN $2 AND $3`,
    [businessId, period.from, period.to],
  );
  const [{ collected, failed } = {}] = period.currencies;
  deepEqual({ collected: collected?.count, failed: failed?.count, cents: collected?.amount_cents }, rows[0]);
}

/** What staff type into the search: the start of an e-mail, a word in it, last four digits, an amount, titles, nothing that is there. */
const searched = ["c77", "example", "1242", "12.50", "order 777", "order", "nothing"];

/** Asks the services themselves, over the pool. */
export async function benchReports(client: Client, { payments, reports }: Sizes): Promise<void> {
  const { rows: made } = await client.query<{ id: number }>(
    "INSERT INTO business (name, timezone) VALUES ('Much', 'Europe/Berlin') RETURNING id",
  );
  const businessId = made[0]?.id ?? 0;
  console.log(`Seeding ${payments.toLocaleString("en")} payments`);
  await seedPayments(client, businessId, payments);
  const who = { type: "api_key", id: "bench" } as const;
  const actor = { businessId, livemode: false, clockAhead: 0, scopes: ["read"], who };
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const page = customerEndpoints.list.query.parse({});
  const deep = Buffer.from(JSON.stringify([false, "c55555@example.com"])).toString("base64url");
  const rows: [string, () => Promise<unknown>][] = [
    ["overview of 7 days", () => overview(db, actor, { from: day(6), to: day(0) })],
    ["overview of 30 days", () => overview(db, actor, { from: day(29), to: day(0) })],
    ["overview of 365 days", () => overview(db, actor, { from: day(364), to: day(0) })],
    ["25 customers, first page", () => listCustomers(db, actor, { ...page, q: null })],
    ["25 customers, in the middle", () => listCustomers(db, actor, { ...page, q: null, cursor: deep })],
    ["25 customers by prefix", () => listCustomers(db, actor, { ...page, q: "c77" })],
    ...searched.map((q): [string, () => Promise<unknown>] => [`search for "${q}"`, () => searchAll(db, actor, q)]),
  ];
  await checkOverview(client, businessId, await overview(db, actor, { from: day(364), to: day(0) }));
  await refreshFigures(computedFigures);
  const found = await listCustomers(db, actor, { ...page, q: "c77" });
  const { rows: expected } = await client.query<{ email: string }>(
    "SELECT email FROM customer WHERE business_id = $1 AND email LIKE 'c77%' ORDER BY created_at DESC LIMIT 25",
    [businessId],
  );
  deepEqual(
    found.rows.map(({ email }) => email),
    expected.map(({ email }) => email),
  );
  for (const q of searched) equal((await searchAll(db, actor, q)).rows.length > 0, q !== "nothing", q);
  const lines: string[][] = [];
  for (const [name, work] of rows) {
    const all = await times(work, reports);
    lines.push([name, median(all).toFixed(1), (all[Math.floor(reports * 0.95)] ?? 0).toFixed(1)]);
  }
  printTable([[`among ${payments.toLocaleString("en")} payments`, "median ms", "p95 ms"], ...lines]);
}
