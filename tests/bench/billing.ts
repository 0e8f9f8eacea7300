/** How fast subscriptions are charged, and how little it costs when none is due. docs/performance.md says how to read it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { dueSubscriptions } from "@/lib/billing/run";
import { median } from "./load";
import type { Server } from "./processes";
import { printTable } from "./report";
import type { Sizes } from "./sizes";

const goal = { perSecond: 500, milliseconds: 5 };
const atOnce = 5_000; // as lib/billing/due.ts asks

/** A business with a weekly package. */
async function makeBusiness(client: Client, name: string): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `WITH business AS (INSERT INTO business (name, timezone) VALUES ($1, 'Europe/Berlin') RETURNING id),
          package AS (INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
                      SELECT 'pkg_' || id, id, false, 'Reading club', 1500, 'weekly', 'EUR' FROM business)
     SELECT id FROM business`,
    [name],
  );
  return rows[0]?.id ?? 0;
}

/** Subscribers with saved cards of the sandbox, who have paid two weeks. Nothing more of theirs is due before `charge`. */
async function seedSubscribers(client: Client, businessId: number, count: number): Promise<void> {
  const each = async (sql: string) => {
    // Ids as the product makes them: 36 characters of its alphabet.
    await client.query(sql.replaceAll("$who", "lpad($1 || 'x' || n, 36, '0')"), [String(businessId), count]);
  };
  await each(`
    INSERT INTO sandbox_card (ref, account, gateway_key, behaviour, brand, last4, exp_month, exp_year)
    SELECT 'card_' || $who, $1, 'card_' || $who, 'succeed', 'visa', '4242', 12, 2098 FROM generate_series(1, $2::int) AS n`);
  await each(`
    INSERT INTO tokenization (id, business_id, livemode, email, title, description, sealed_token, token_hash, status,
                              expires_at, activated_at, gateway, gateway_card, card_brand, card_last4, card_exp_month, card_exp_year)
    SELECT 'tkn_' || $who, $1::int, false, 'payer' || n || '@example.com', 'Card', 'Card', 'sealed', 'hash_' || $who, 'active',
           now(), now(), 'sandbox', 'card_' || $who, 'visa', '4242', 12, 2098 FROM generate_series(1, $2::int) AS n`);
  await each(`
    INSERT INTO subscription (id, business_id, livemode, package_id, email, anchor, timezone, status, next_period)
    SELECT 'sub_' || $who, $1::int, false, 'pkg_' || $1, 'payer' || n || '@example.com',
           to_char(now() - interval '14 days 1 hour', 'YYYY-MM-DD"T"HH24:MI:SS'), 'UTC', 'active', 2
      FROM generate_series(1, $2::int) AS n`);
  await each(`
    WITH link AS (
      INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, subscription_id, period_index,
                                period_start, period_end, status, paid_at)
      SELECT 'pl_' || lpad($1 || 'x' || n || 'x' || week, 36, '0'), $1::int, false, 'payer' || n || '@example.com', 'EUR', 1500, 'Reading club',
             'sub_' || $who, week, at, at + interval '7 days', 'Paid', at
        FROM generate_series(1, $2::int) AS n, generate_series(0, 1) AS week,
             LATERAL (SELECT now() - interval '1 hour' - (2 - week) * interval '7 days' AS at) AS begun
      RETURNING id, business_id
    )
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         receipt_token, settled_at)
    SELECT 'pay_' || id, business_id, false, id, 'sandbox', 'pay_' || id, 1500, 'EUR', 'succeeded', md5(id), now() FROM link`);
  await client.query("VACUUM ANALYZE");
}

/** Makes all of a business's subscriptions due at once, and waits until every one is paid. @returns seconds */
async function charge(client: Client, businessId: number, count: number): Promise<number> {
  const begun = performance.now();
  await client.query(
    `UPDATE subscription SET next_charge_at = (anchor::timestamp + interval '14 days') AT TIME ZONE 'UTC'
      WHERE business_id = $1`,
    [businessId],
  );
  for (;;) {
    await sleep(200);
    const { rows } = await client.query<{ paid: number; failed: unknown }>(
      `SELECT count(*) FILTER (WHERE status = 'succeeded')::int - 2 * $2::int AS paid,
              jsonb_agg(to_jsonb(p)) FILTER (WHERE status = 'failed') AS failed FROM payment p WHERE business_id = $1`,
      [businessId, count],
    );
    const seconds = (performance.now() - begun) / 1000;
    if (rows[0]?.failed)
      throw new Error(`A charge failed: a refusal is no result. ${JSON.stringify(rows[0].failed).slice(0, 2_000)}`);
    if (rows[0]?.paid === count) return seconds;
    if (seconds > 600) throw new Error(`${rows[0]?.paid} of ${count} subscriptions were charged in ten minutes.`);
  }
}

async function measureCharging(
  client: Client,
  { due, servers: counts }: Sizes,
  startServer: () => Promise<Server>,
): Promise<void> {
  const table = [["", "seconds", "subscriptions/s", "CPU ms each"]];
  let best = 0;
  for (const workers of counts) {
    console.log(`Measuring: charging ${due.toLocaleString("en")} subscriptions, ${workers} at it`);
    const businessId = await makeBusiness(client, `Club of ${workers}`);
    await seedSubscribers(client, businessId, due);
    const servers = await Promise.all(Array.from({ length: workers }, startServer));
    const used = () => servers.reduce((total, server) => total + server.cpuTime(), 0);
    const before = used();
    const seconds = await charge(client, businessId, due);
    const cpu = (used() - before) / due / 1000;
    await Promise.all(servers.map((server) => server.stop()));
    table.push([
      `${workers} ${workers === 1 ? "server" : "servers"}`,
      seconds.toFixed(1),
      (due / seconds).toFixed(0),
      cpu.toFixed(1),
    ]);
    best = Math.max(best, due / seconds);
  }
  console.log(`\n${due.toLocaleString("en")} subscriptions due at once, each with a saved card of the sandbox\n`);
  printTable(table);
  console.log(
    best >= goal.perSecond
      ? `\nReaches the goal: ${goal.perSecond} a second.`
      : `\nBELOW THE GOAL of ${goal.perSecond} a second`,
  );
}

/** What a plan reads, and how. */
interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Plan[];
}

function* scans(plan: Plan): Generator<Plan> {
  if (plan["Node Type"].includes("Scan") && (plan["Relation Name"] || plan["Index Name"])) yield plan;
  for (const below of plan.Plans ?? []) yield* scans(below);
}

async function measureLooking(client: Client, { notDue, businesses, looks }: Sizes): Promise<void> {
  console.log(
    `\nSeeding ${notDue.toLocaleString("en")} subscriptions of ${businesses.toLocaleString("en")} businesses`,
  );
  await client.query(
    `WITH business AS (
       INSERT INTO business (name, timezone) SELECT 'Club ' || n, 'Europe/Berlin' FROM generate_series(1, $1::int) AS n
       RETURNING id
     ), package AS (
       INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
       SELECT 'pkg_m' || id, id, false, 'Reading club', 1500, 'monthly', 'EUR' FROM business RETURNING id, business_id
     )
     SELECT count(*) FROM package`,
    [businesses],
  );
  // Else the foreign keys' cached plans read all of these tables for each subscription.
  await client.query("ANALYZE business, package");
  const { rowCount } = await client.query(
    `INSERT INTO subscription (id, business_id, livemode, package_id, amount_cents, email, anchor, timezone, next_charge_at)
     SELECT 'sub_m' || package.business_id || '_' || n, package.business_id, false, package.id, package.amount_cents,
            'payer' || n || '@example.com', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS'), 'UTC', at
       FROM package, generate_series(1, $1::int) AS n,
            LATERAL (SELECT date_trunc('second', now()) + interval '2 days' + n * interval '6 hours' AS at) AS first
      WHERE package.id LIKE 'pkg_m%'`,
    [notDue / businesses],
  );
  if (rowCount !== notDue) throw new Error(`${rowCount} subscriptions were seeded.`);
  await client.query("VACUUM ANALYZE");
  const table = [["", "median ms", "p95 ms"]];
  const none = await look(client, looks);
  table.push(["no test clock is ahead", ...none.map((ms) => ms.toFixed(2))]);
  await client.query("UPDATE business SET test_clock_ahead = 86400000 WHERE name LIKE 'Club %' AND id % 100 = 0");
  await client.query("VACUUM ANALYZE business");
  const ahead = await look(client, looks);
  table.push(["those of 100 businesses are", ...ahead.map((ms) => ms.toFixed(2))]);

  const { text, values } = dueSubscriptions(atOnce);
  const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
  const plan = rows[0]?.["QUERY PLAN"][0]?.Plan;
  const read = [...(plan ? scans(plan) : [])];
  const whole = read
    .filter((scan) => scan["Node Type"] === "Seq Scan")
    .map((scan) => scan["Relation Name"] ?? "")
    .filter((name) => !name.startsWith("_private_")); // the queue itself is as long as there is work
  const names = new Set(read.map((scan) => scan["Index Name"] ?? scan["Relation Name"]));
  console.log(`\nFinding nothing due among ${notDue.toLocaleString("en")} subscriptions, ${looks} looks\n`);
  printTable(table);
  console.log(`\nIt reads ${[...names].join(", ")}.`);
  if (whole.length > 0) console.log(`READS THE WHOLE OF ${whole.join(", ")}`);
  // The goal is live mode's; a test clock that is ahead costs its business a look of its own.
  console.log(
    none[0] < goal.milliseconds
      ? `Reaches the goal: under ${goal.milliseconds} ms.`
      : `ABOVE THE GOAL of ${goal.milliseconds} ms`,
  );
}

/** Looks for what is due, as the workers do, when there is nothing. @returns median and 95th percentile, milliseconds */
async function look(client: Client, looks: number): Promise<[middle: number, p95: number]> {
  const times: number[] = [];
  for (let i = -20; i < looks; i++) {
    const { text, values } = dueSubscriptions(atOnce);
    const begun = performance.now();
    const { rows } = await client.query({ name: "due", text, values });
    if (rows.length > 0) throw new Error("There is something due.");
    if (i >= 0) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return [median(times), times[Math.floor(looks * 0.95)] ?? Number.NaN];
}

/** @param startServer starts one server of the production build, which bills as it does everywhere */
export async function benchBilling(client: Client, sizes: Sizes, startServer: () => Promise<Server>): Promise<void> {
  await measureCharging(client, sizes, startServer);
  await measureLooking(client, sizes);
}
