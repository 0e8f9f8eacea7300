import { Client } from "pg";
import * as prometheus from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { recordCheck } from "@/lib/ledger/books-check";
import { Comparison } from "@/lib/ledger/comparison";
import {
  countAccounts,
  countDeliveries,
  countDueCharges,
  countEndpoints,
  countJobs,
  countMails,
  countOpenMoney,
  maxCounted,
  readBackup,
  readBooks,
  readLags,
} from "@/server/metrics/figures";
import { measureWork } from "@/server/metrics/work";
import { seedBusiness, seededTables } from "@/tests/bench/scale-seed";
import { command } from "@/tests/support/command";
import { countEntries, relationsOf } from "@/tests/support/entries-read";
import { parseMetrics } from "@/tests/support/metrics";
import { asOwner, createDatabase, ownerUrl } from "@/tests/support/postgres";

// Without a server, so that no worker takes what is due.
const rows = 6_000;
let client: Client;
let business: number;

const figures = {
  countAccounts,
  countDeliveries,
  countDueCharges,
  countEndpoints,
  countJobs,
  countMails,
  countOpenMoney,
  readBackup,
  readBooks,
  readLags,
};

beforeAll(async () => {
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
  for (const table of await relationsOf(client, seededTables))
    await client.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  business = await seedBusiness(client, { links: rows, subscriptions: rows, events: rows, others: rows });
  await client.query("UPDATE email SET status = 'sent', next_attempt_at = NULL");
  await client.query("UPDATE webhook_delivery SET status = 'succeeded', next_attempt_at = NULL");
  await client.query("UPDATE subscription SET next_charge_at = next_charge_at + interval '1 day'");
  await client.query("VACUUM ANALYZE");
});

afterAll(() => client.end());

it.each(Object.entries(figures))(`%s reads few of ${rows} rows while nothing waits`, async (_, read) => {
  for (const plan of ["force_custom_plan", "force_generic_plan"])
    expect(await countEntries(seededTables, read, plan), plan).toBeLessThan(600);
});

it("finds the lag of each queue among endpoints and businesses", async () => {
  expect(await readLags()).toEqual([]);
  await client.query(`UPDATE webhook_delivery SET status = 'pending', next_attempt_at = now() + interval '1 hour'
                       WHERE id IN (SELECT id FROM webhook_delivery LIMIT 40)`);
  await client.query(`UPDATE webhook_delivery SET next_attempt_at = now() - interval '10 minutes'
                       WHERE id = (SELECT id FROM webhook_delivery WHERE status = 'pending' ORDER BY id DESC LIMIT 1)`);
  const [lag, ...others] = await readLags();
  expect(others).toEqual([]);
  expect(lag).toMatchObject({ queue: "webhooks" });
  expect(lag?.age).toBeGreaterThan(595);
  expect(await countDeliveries()).toEqual([expect.objectContaining({ due: 1, later: 39 })]);
  await client.query("UPDATE webhook_endpoint SET failing_since = now()");
  expect(await readLags()).toEqual([]);
  await client.query("UPDATE webhook_endpoint SET failing_since = NULL");
});

it("has the last check of the books by the command", async () => {
  expect(await readBooks()).toEqual([]);
  const env = { LOG_LEVEL: "silent", DATABASE_URL: process.env.DATABASE_URL ?? "", APP_SECRET: "x".repeat(32) };
  // The rows for benchmarks have no journal.
  const checked = await command("books", ["--json"], { env });
  const { imbalances } = JSON.parse(checked.stdout) as { imbalances: string[] };
  expect([checked.code, imbalances.length > 0]).toEqual([1, true]);
  expect(await readBooks()).toEqual([{ checked_at: expect.any(Number), differences: imbalances.length }]);
  expect(Date.now() / 1_000 - ((await readBooks())[0]?.checked_at ?? 0)).toBeLessThan(60);
});

it("keeps what was wrong at the gateways until they are asked again", async () => {
  const found = new Comparison();
  found.differences.push("pay_1: 400 refunded here, 0 there");
  const differences = async () => (await readBooks())[0]?.differences;
  await recordCheck(2, found);
  expect(await differences()).toBe(3);
  await recordCheck(0, null);
  expect(await differences()).toBe(1);
  await recordCheck(0, Object.assign(new Comparison(), { hasAllAccounts: false }));
  expect(await differences()).toBe(1);
  await recordCheck(0, Object.assign(new Comparison(), { failedPayments: 7 }));
  expect(await differences()).toBe(1);
  await recordCheck(0, new Comparison());
  expect(await differences()).toBe(0);
});

it("does not count failed lookups as mistakes in the first check", async () => {
  await asOwner("DELETE FROM books_check");
  expect(await recordCheck(0, Object.assign(new Comparison(30), { failedPayments: 3 }))).toBe(0);
  expect((await readBooks())[0]?.differences).toBe(0);
});

it("keeps what a comparison of more days found at the gateways until as many are compared again", async () => {
  const compared = (days: number, ...differences: string[]) => {
    const found = new Comparison(days);
    found.differences.push(...differences);
    return found;
  };
  const differences = async () => (await readBooks())[0]?.differences;
  expect(await recordCheck(0, compared(365, "pay_1: old", "pay_2: new"))).toBe(365);
  expect(await recordCheck(0, compared(30, "pay_2: new"))).toBe(365);
  expect(await differences()).toBe(2);
  expect(await recordCheck(0, compared(30, "pay_2: new", "pay_3: new", "pay_4: new"))).toBe(365);
  expect(await recordCheck(1, null)).toBe(365);
  expect(await differences()).toBe(4);
  expect(await recordCheck(0, compared(365))).toBe(0);
  expect(await differences()).toBe(0);
  // Less than a longer run that found nothing.
  expect(await recordCheck(0, compared(30, "pay_5: new"))).toBe(30);
  expect(await recordCheck(0, Object.assign(compared(365), { hasAllAccounts: false }))).toBe(30);
  expect(await recordCheck(0, compared(30))).toBe(0);
  expect(await differences()).toBe(0);
});

it("counts due charges, and those that are late", async () => {
  await client.query(`UPDATE subscription SET next_charge_at = now() - interval '20 minutes', livemode = livemode
                       WHERE id IN (SELECT id FROM subscription WHERE status = 'active' ORDER BY id LIMIT 3)`);
  await client.query(`UPDATE subscription SET next_charge_at = now() - interval '1 minute'
                       WHERE id IN (SELECT id FROM subscription WHERE status = 'active' AND next_charge_at > now() ORDER BY id LIMIT 2)`);
  const [due, ...others] = (await countDueCharges()).filter(({ kind }) => kind === "period");
  expect(others).toEqual([]);
  expect(due).toMatchObject({ due: 5, late: 3 });
  expect(due?.age).toBeGreaterThan(1_195);
});

it("counts jobs by state, and stops counting mails at a limit", async () => {
  await client.query(`SELECT graphile_worker.add_job('bill', '{}', run_at := now() - interval '7 minutes'),
                             graphile_worker.add_job('bill', '{}', run_at := now() + interval '1 day')`);
  const jobs = await countJobs();
  expect(jobs.map(({ job, state, count }) => [job, state, count]).sort()).toEqual([
    ["bill", "due", 1],
    ["bill", "later", 1],
  ]);
  expect(jobs.find(({ state }) => state === "due")?.age).toBeGreaterThan(415);
  await client.query(
    `INSERT INTO email (id, business_id, livemode, template, "to", props, next_attempt_at, created_at)
     SELECT 'eml_figures' || n, $1, true, 'receipt', 'ada@example.com', '{}', now(), now() FROM generate_series(1, $2::int) AS n`,
    [business, maxCounted + 50],
  );
  expect(await countMails()).toEqual([expect.objectContaining({ audience: "payers", due: maxCounted })]);
  expect(await countEntries(["email"], countMails, "force_generic_plan")).toBeLessThan(2.2 * maxCounted);
  expect((await db.email.count({ where: { status: "queued" } })) > maxCounted).toBe(true);
});

it("counts live charges and deliveries behind a test backlog, and mails to staff behind those to payers", async () => {
  const [backlog, subscriptions] = [maxCounted + 50, 1.3 * maxCounted]; // eight in ten are active
  const other = await seedBusiness(client, { links: 0, subscriptions, events: 0, others: 0 });
  await client.query(
    "UPDATE subscription SET next_charge_at = now() - interval '1 hour' WHERE business_id = $1 AND status = 'active'",
    [other],
  );
  await client.query(
    `INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, type, created_at)
     SELECT 'whd_figures' || n, business_id, livemode, id, 'payment_link.paid', now() - interval '1 hour'
       FROM (SELECT * FROM webhook_endpoint ORDER BY id LIMIT 1) AS endpoint, generate_series(1, $1::int) AS n`,
    [backlog],
  );
  await client.query(`
    INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
      VALUES ('pkg_live', ${business}, true, 'Live', 500, 'monthly', 'EUR');
    INSERT INTO subscription (id, business_id, livemode, package_id, email, phone_no, status, anchor, timezone, created_at, next_charge_at)
      VALUES ('sub_live', ${business}, true, 'pkg_live', 'ada@example.com', '+15550000001', 'active', '2026-01-01T00:00:00', 'UTC', now(),
              now() - interval '10 minutes');
    INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret)
      VALUES ('whe_live', ${business}, true, 'https://shop.example/hook', '');
    INSERT INTO webhook_delivery (id, business_id, livemode, endpoint_id, type, created_at)
      VALUES ('whd_live', ${business}, true, 'whe_live', 'payment_link.paid', now() - interval '10 minutes');
    INSERT INTO email (id, business_id, livemode, staff, template, "to", props, created_at)
      VALUES ('eml_staff', ${business}, true, true, 'invitation', 'ada@example.com', '{}', now())`);
  const byMode = (rows: { mode: string; due: number }[]) => rows.map(({ mode, due }) => [mode, due]).toSorted();
  const both = [
    ["live", 1],
    ["test", maxCounted],
  ];
  expect(byMode(await countDueCharges())).toEqual(both);
  expect(byMode(await countDeliveries())).toEqual(both);
  const mails = (await countMails()).map(({ audience, due }) => [audience, due]);
  expect(mails.toSorted()).toEqual([
    ["payers", maxCounted],
    ["staff", 1],
  ]);
  const read = (table: string, figures: () => Promise<unknown>) => countEntries([table], figures, "force_generic_plan");
  expect(await read("webhook_delivery", countDeliveries)).toBeLessThan(1.2 * maxCounted);
  expect(await read("subscription", countDueCharges)).toBeLessThan(subscriptions + maxCounted);
});

it("withdraws the figures of a worker that cannot read them, until it can", async () => {
  const registry = new prometheus.Registry();
  const stop = measureWork(prometheus, registry, 10);
  const values = async () => {
    const { value } = parseMetrics(await registry.metrics());
    return [value("paydesk_charges_late", { kind: "period", mode: "live" }), value("paydesk_books_differences")];
  };
  await expect.poll(values).toEqual([1, 0]);
  await client.query("ALTER TABLE books_check RENAME TO away");
  await expect.poll(values).toEqual([null, null]);
  await client.query("ALTER TABLE away RENAME TO books_check");
  await expect.poll(values).toEqual([1, 0]);
  await stop();
});

it("finds what has failed behind any number of jobs, endpoints and accounts", async () => {
  const many = maxCounted + 50;
  await client.query(`
    INSERT INTO graphile_worker._private_jobs (task_id)
      SELECT task.id FROM graphile_worker._private_tasks AS task, generate_series(1, ${many}) WHERE identifier = 'bill';
    SELECT graphile_worker.add_job('detach_card', '{}', job_key := 'given_up');
    UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = 'given_up';
    INSERT INTO webhook_endpoint (id, business_id, livemode, url, secret, failing_since)
      SELECT 'whe_figures' || n, ${business}, n > ${many}, 'https://shop.example/hook', '', CASE WHEN n > ${many} THEN now() END
        FROM generate_series(1, ${many} + 1) AS n;
    WITH shop AS (INSERT INTO business (name) SELECT 'Shop' FROM generate_series(1, ${many}) RETURNING id)
    INSERT INTO gateway_account (id, business_id, livemode, gateway, external_id, secrets, hint)
      SELECT 'gwa_figures' || id, id, true, 'stripe', 'acct_' || id, '', '' FROM shop;
    UPDATE gateway_account SET refused_calls = '{key}', broken_at = now() WHERE business_id = (SELECT max(id) FROM business)`);
  const found = async (figures: () => Promise<{ state: string; count: number }[]>, state: string) =>
    (await figures()).filter((one) => one.state === state);
  expect(await found(countJobs, "given_up")).toEqual([expect.objectContaining({ job: "detach_card", count: 1 })]);
  expect(await found(countEndpoints, "failing")).toEqual([{ mode: "live", state: "failing", count: 1 }]);
  expect(await found(countAccounts, "refused")).toEqual([{ mode: "live", state: "refused", count: 1 }]);
});
