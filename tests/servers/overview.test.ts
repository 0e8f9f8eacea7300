import fc from "fast-check";
import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { clock } from "@/lib/core/clock";
import { db, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { recordBooked, settle } from "@/lib/ledger/attempt";
import { checkBooks } from "@/lib/ledger/books";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { markPaid, reversePayment } from "@/lib/ledger/manual";
import { beginRefund, performRefund, reconcileRefunds, recordManualRefund } from "@/lib/ledger/refund";
import { moveChanges } from "@/lib/ledger/sums";
import { payments } from "@/lib/resources/payments/resource";
import { newestProblems } from "@/lib/resources/reports/attention";
import { maxFailures, maxLinks } from "@/lib/resources/reports/contract";
import { rates } from "@/lib/resources/reports/rates";
import { overview } from "@/lib/resources/reports/service";
import { maxExactRows, refreshFigures } from "@/lib/resources/reports/stored-figures";
import { forecastFigures, forecastSubscriptions } from "@/lib/resources/subscriptions/forecast";
import { computedFigures } from "@/server/jobs";
import { actorOf } from "@/tests/bench/scale";
import { seededTables, withPendingEntries } from "@/tests/bench/scale-seed";
import { mapConcurrently } from "@/tests/faults/map-concurrently";
import { aboutLink } from "@/tests/support/about";
import { countEntries } from "@/tests/support/entries-read";
import { createDatabase, ownerUrl } from "@/tests/support/postgres";
import { recountSums } from "@/tests/support/sums";

const rows = 15_000; // more than the bounds below

let client: Client;
let actor = actorOf(0);

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** A business of two busy days: each quarter of an hour has some 100 payments. */
async function seedBusyBusiness(): Promise<number> {
  const { rows: made } = await client.query<{ id: number }>(
    "INSERT INTO business (name, timezone) VALUES ('Busy', 'Asia/Kolkata') RETURNING id",
  );
  const id = made[0]?.id ?? 0;
  const at = `now() - n * interval '2 days' / ${rows}`;
  const each = (sql: string) => client.query(`${sql} FROM generate_series(1, ${rows}) AS n`);
  await each(`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status)
    SELECT 'pl_open' || n, ${id}, false, 'ada@example.com', CASE n % 2 WHEN 0 THEN 'EUR' ELSE 'USD' END, 500, 'Order', 'Active'`);
  await each(`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, paid_at)
    SELECT 'pl_paid' || n, ${id}, false, 'ada@example.com', 'EUR', 500, 'Order', 'Paid', ${at}`);
  await each(`
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         receipt_token, fee_cents, fee_currency, settled_at)
    SELECT 'pay_' || n, ${id}, false, 'pl_paid' || n, 'sandbox', 'pay_' || n, 500, 'EUR', 'succeeded', 'receipt' || n, 3, 'EUR', ${at}`);
  await each(`
    INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, status, settled_at)
    SELECT 'ref_' || n, ${id}, false, 'pay_' || n, 'pl_paid' || n, 'ref_' || n, 40, 'EUR', 'succeeded', ${at}`);
  await client.query(
    `INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
     VALUES ('pkg_club', ${id}, false, 'Club', 500, 'monthly', 'EUR')`,
  );
  await each(`
    INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone)
    SELECT 'sub_' || n, ${id}, false, 'pkg_club', 'ada@example.com', CASE n % 2 WHEN 0 THEN 'unpaid' ELSE 'active' END, '2026-01-01T00:00:00', 'UTC'`);
  return id;
}

beforeAll(async () => {
  // A database of its own: other tests' rows would change the statistics, and with them the plans.
  const connectionString = await createDatabase();
  Object.assign(process.env, { DATABASE_URL: connectionString }); // before the first query
  client = new Client({ connectionString: ownerUrl(connectionString) });
  await client.connect();
  const id = await withPendingEntries(client, seedBusyBusiness);
  await recountSums(client, id);
  while (await moveChanges());
  await client.query("VACUUM ANALYZE");
  actor = actorOf(id);
  return () => client.end();
});

const tables = [...seededTables, "link_visit", "settled_sum", "settled_change", "posting", "stored_figures", "package"];

const costOf = (work: () => Promise<unknown>, plan: string) => countEntries(tables, work, plan);

describe(`an overview reads few of ${rows} payments, refunds, links and subscriptions`, () => {
  it.each([7, 30, 365])("of %i days", async (days) => {
    const read = () => overview(db, actor, { from: day(days - 1), to: day(0) });
    await read(); // asks for the stored figures
    // The links and subscriptions that are read before the stored figures are taken, 1,000 for what needs attention, and the
    // hours and quarters of three days with payments.
    const limit = 2 * (maxExactRows + 1) + 1_000 + 3 * 31 * 2 + 100;
    for (const plan of ["force_custom_plan", "force_generic_plan"])
      expect(await costOf(read, plan), plan).toBeLessThan(limit);
  });

  it.each([7, 365])("and its rates of %i days few links and attempts", async (days) => {
    const read = () => rates(db, actor, { from: day(days - 1), to: day(-1) });
    // Of each of two periods the links of three currencies and statuses, the visits and payments of the newest, and failed attempts
    // of two currencies at two gateways.
    const limit = 2 * (3 * maxLinks + 2 * maxLinks + 2 * 2 * maxFailures + 100);
    for (const plan of ["force_custom_plan", "force_generic_plan"])
      expect(await costOf(read, plan), plan).toBeLessThan(limit);
    const { period } = await read();
    expect(period.links_are_sample).toBe(true);
    expect(period.links.reduce((total, { created }) => total + created, 0)).toBe(maxLinks);
  });

  it("and its rates no periods of subscriptions", async () => {
    const { rows: made } = await client.query<{ id: number }>(
      "INSERT INTO business (name) VALUES ('Club') RETURNING id",
    );
    const id = made[0]?.id ?? 0;
    await client.query(`
      INSERT INTO package (id, business_id, livemode, name, amount_cents, frequency, currency)
      VALUES ('pkg_many', ${id}, false, 'Club', 500, 'monthly', 'EUR')`);
    await client.query(`
      INSERT INTO subscription (id, business_id, livemode, package_id, email, status, anchor, timezone)
      VALUES ('sub_20001', ${id}, false, 'pkg_many', 'ada@example.com', 'active', '2026-01-01T00:00:00', 'UTC')`);
    await client.query(`
      INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, subscription_id,
                                period_index, period_start, period_end, created_at)
      SELECT 'pl_period' || n, ${id}, false, 'ada@example.com', 'EUR', 500, 'Club', 'Active', 'sub_20001', n, now(), now(),
             now() - interval '1 hour' FROM generate_series(0, ${maxLinks}) AS n`);
    await client.query(`
      INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, created_at)
      SELECT 'pl_club' || n, ${id}, false, 'ada@example.com', 'EUR', 500, 'Order', 'Active', now() - interval '2 hours'
        FROM generate_series(1, 3) AS n`);
    const read = () => rates(db, actorOf(id), { from: day(6), to: day(0) });
    const { period } = await read();
    expect(period).toMatchObject({ links: [{ currency: "EUR", created: 3, paid: 0 }], links_are_sample: false });
    for (const plan of ["force_custom_plan", "force_generic_plan"])
      expect(await costOf(read, plan), plan).toBeLessThan(100);
  });

  it("and the newest of what needs attention", async () => {
    const read = () => newestProblems(db, actor);
    const limit = 1_000; // a few rows of six tables, with the newest links of each subscription
    for (const plan of ["force_custom_plan", "force_generic_plan"])
      expect(await costOf(read, plan), plan).toBeLessThan(limit);
  });

  it("and adds up each of them", async () => {
    const { period, previous, first, attention } = await overview(db, actor, { from: day(6), to: day(-1) });
    expect(previous.currencies).toEqual([]);
    expect(period.currencies).toEqual([
      {
        currency: "EUR",
        collected: { amount: rows * 5, amount_cents: rows * 500, count: rows },
        refunded: { amount: rows * 0.4, amount_cents: rows * 40, count: rows },
        failed: { amount: 0, amount_cents: 0, count: 0 },
        disputed: { amount: 0, amount_cents: 0, count: 0 },
        net: { amount: rows * 4.57, amount_cents: rows * 457 },
        success_rate: 1,
      },
    ]);
    expect(period.fees).toEqual([{ currency: "EUR", amount: rows * 0.03, amount_cents: rows * 3 }]);
    expect(first).toMatchObject({ payment_link: true, tokenization: false, subscription: true });
    expect(attention).toMatchObject({ past_due_subscriptions: 0, unpaid_subscriptions: 1000 });
  });
});

describe(`with more than ${maxExactRows} open links or subscriptions`, () => {
  const half = { amount: (rows / 2) * 5, amount_cents: (rows / 2) * 500, count: rows / 2 };
  const read = () => overview(db, actor, { from: day(6), to: day(0) });
  const age = (minutes: number) =>
    client.query("UPDATE stored_figures SET refreshed_at = refreshed_at - $1 * interval '1 minute'", [minutes]);

  it("open links and recurring revenue are those of a stated time, until the job computes them again", async () => {
    await client.query("DELETE FROM stored_figures");
    const unknown = { open: null, open_as_of: null, recurring: null, recurring_as_of: null };
    expect(await Promise.all([read(), read()])).toMatchObject([unknown, unknown]);
    expect(await read()).toMatchObject(unknown);
    expect(await refreshFigures(computedFigures)).toBe(true);
    const { open, open_as_of, recurring, recurring_as_of } = await read();
    expect(open).toEqual([
      { currency: "EUR", ...half },
      { currency: "USD", ...half },
    ]);
    expect(recurring).toEqual([
      { currency: "EUR", amount: half.amount, amount_cents: half.amount_cents, subscriptions: half.count },
    ]);
    expect([typeof open_as_of, recurring_as_of]).toEqual(["string", open_as_of]);
    await client.query("UPDATE payment_link SET status = 'Inactive' WHERE id = 'pl_open2'");
    expect(await read()).toMatchObject({ open, open_as_of });
    expect(await refreshFigures(computedFigures)).toBe(false); // too early
    await age(10);
    expect(await Promise.all([refreshFigures(computedFigures), refreshFigures(computedFigures)])).toContain(true);
    const later = await read();
    expect(later.open?.[0]?.count).toBe(half.count - 1);
    expect(Date.parse(later.open_as_of ?? "")).toBeGreaterThan(Date.parse(open_as_of ?? ""));
  });

  it("the job computes them only for businesses whose overview was read lately", async () => {
    await age(10);
    await client.query("UPDATE stored_figures SET requested_at = requested_at - interval '1 day'");
    expect(await refreshFigures(computedFigures)).toBe(false);
    await read();
    expect(await refreshFigures(computedFigures)).toBe(true);
  });

  it("a forecast is the job's, too, with the days that are asked for", async () => {
    await client.query(`
      UPDATE subscription SET next_charge_at = '2026-02-01T00:00:00Z', next_period = 1
       WHERE status = 'active' AND substr(id, 5)::int <= 12000`);
    const readForecast = (days: number, from = "2026-01-15") =>
      clock.at(new Date(`${from}T12:00:00Z`), () => forecastSubscriptions(db, actor, days));
    expect(await readForecast(366)).toMatchObject({
      as_of: null,
      totals: null,
      days: null,
      months: null,
      at_risk: null,
    });
    for (const plan of ["force_custom_plan", "force_generic_plan"])
      expect(await costOf(() => readForecast(366), plan), plan).toBeLessThan(1_100);
    await clock
      .at(new Date("2026-01-15T12:00:00Z"), () => forecastFigures(actor, clock.now()))
      .then((figures) =>
        client.query("UPDATE stored_figures SET figures = $1, as_of = now() WHERE kind = 'forecast'", [figures]),
      );
    const year = await readForecast(366);
    expect(year.totals).toEqual([{ currency: "EUR", amount: 360_000, amount_cents: 36_000_000, count: 72_000 }]);
    expect(year.months).toHaveLength(12);
    expect(year.months?.[0]).toEqual({
      ...{ month: "2026-02", currency: "EUR", amount: 30_000, amount_cents: 3_000_000, count: 6_000 },
    });
    expect(year.at_risk).toHaveLength(100);
    expect(typeof year.as_of).toBe("string");
    const month = await readForecast(31);
    expect(month.days).toEqual([
      { date: "2026-02-01", currency: "EUR", amount: 30_000, amount_cents: 3_000_000, count: 6_000 },
    ]);
    expect(month.totals).toMatchObject([{ count: 6_000 }]);
    expect((await readForecast(31, "2026-02-15")).days).toMatchObject([{ date: "2026-03-01" }]);
  });

  it("open links are exact where few are left, although many have expired", async () => {
    await client.query(`
      UPDATE payment_link SET expires_at = now() - interval '1 day', expiry_recorded = true
       WHERE status = 'Active' AND id NOT IN ('pl_open1', 'pl_open3', 'pl_open4')`);
    await client.query("UPDATE payment_link SET expires_at = now() - interval '1 second' WHERE id = 'pl_open4'");
    const { open, open_as_of } = await read();
    expect(open).toEqual([{ currency: "USD", amount: 10, amount_cents: 1000, count: 2 }]);
    expect(open_as_of).toBeNull();
  });
});

interface Step {
  kind: "pay" | "decline" | "dispute" | "decide" | "mark" | "reverse" | "fee" | "refund" | "return" | "move";
  minute: number;
  cents: number;
  currency: string;
  nth: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    "pay",
    "pay",
    "pay",
    "mark",
    "mark",
    "reverse",
    "decline",
    "dispute",
    "decide",
    "fee",
    "refund",
    "refund",
    "return",
    "move",
  ),
  minute: fc.integer({ min: 0, max: 4 * 24 * 60 }),
  cents: fc.integer({ min: 500, max: 3_000_000 }),
  currency: fc.constantFrom("EUR", "USD"),
  nth: fc.nat(20),
});

/** A card whose refunds the bank returns, one that is declined, and one whose charge is disputed at once and won. */
const cards = { pay: "4000000000005126", decline: "4000000000000002", dispute: "4000000000005134" };

async function pay(businessId: number, kind: keyof typeof cards, { cents, currency, nth }: Step): Promise<string> {
  const [id, linkId] = [newId("pay"), newId("pl")];
  const tenant = { business_id: businessId, livemode: false, amount_cents: cents, currency };
  const email = "ada@example.com";
  await db.paymentLink.create({ data: { ...tenant, id: linkId, email, title: "Order", status: "Processing" } });
  await db.payment.create({
    data: { ...tenant, id, payment_link_id: linkId, gateway: "sandbox", gateway_key: id, status: "sending" },
  });
  const result = await sandbox(String(businessId)).pay({
    gatewayKey: id,
    startedAt: new Date(),
    amountCents: cents,
    currency,
    card: { number: cards[kind], cvc: "123", expMonth: 12, expYear: 2098 },
    merchant: "Busy",
    title: "Order",
    about: aboutLink(linkId),
    email,
    returnPath: "/pay",
  });
  // Some fees become known later.
  const late = result.outcome === "succeeded" && nth % 2 === 0;
  const settled = late ? { ...result, booked: null } : result;
  await Promise.all([settle({ id, linkId }, settled), settle({ id, linkId }, settled)]);
  return kind === "decline" ? "" : id;
}

/** Marks a new link as paid. @returns the payment's id */
async function mark(businessId: number, { cents, currency }: Step): Promise<string> {
  const shown = { amount_cents: cents, currency };
  const data = { ...shown, business_id: businessId, livemode: false, email: "ada@example.com", title: "Order" };
  const link = await db.paymentLink.create({ data: { ...data, id: newId("pl") } });
  const input = { method: "cash", paid_on: "2026-10-22", reference: null, note: null } as const;
  return (await transaction(db, (tx) => markPaid(tx, actorOf(businessId), { ...shown, _id: link.id }, input))) ?? "";
}

/** Does what a step says, at its minute. Steps that fit no payment do nothing. */
async function take(businessId: number, paid: string[], disputed: string[], step: Step): Promise<void> {
  const { kind, nth, cents } = step;
  const payment = paid[nth % Math.max(paid.length, 1)];
  if (kind === "move") return void (await moveChanges());
  if (kind === "dispute") disputed.push(await pay(businessId, kind, step));
  if (kind === "dispute" || kind === "decide") {
    // Some are looked up only later, when the dispute is decided.
    const found = kind === "decide" ? disputed[nth % Math.max(disputed.length, 1)] : disputed.at(-1);
    if (found && (kind === "decide" || nth % 3 !== 0)) await Promise.all([1, 2].map(() => reconcileDisputes(found)));
    return;
  }
  if (kind === "pay" || kind === "decline") {
    const id = await pay(businessId, kind, step);
    if (id) paid.push(id);
  } else if (kind === "mark") {
    paid.push(await mark(businessId, step));
  } else if (!payment) return;
  else if (kind === "reverse") {
    const actor = actorOf(businessId);
    const found = await payments.get(db, actor, payment);
    const reversed = await transaction(db, (tx) => reversePayment(tx, actor, found, "Mistake"));
    expect(reversed).toBe(found.manual !== null && found.status === "succeeded" && found.refunded_amount === 0);
  } else if (kind === "fee")
    await recordBooked(payment, { grossCents: cents, feeCents: nth, currency: nth % 3 === 0 ? "USD" : "EUR" });
  else if (kind === "refund") {
    const id = newId("ref");
    const refund = { id, paymentId: payment, amountCents: cents % 500, reason: null };
    const { gateway } = await db.payment.findUniqueOrThrow({ where: { id: payment } });
    if (gateway === "manual") await recordManualRefund(refund);
    else if (await beginRefund(refund)) await performRefund(id);
  } else if ((await db.payment.findUniqueOrThrow({ where: { id: payment } })).gateway !== "manual") {
    await client.query(
      `UPDATE sandbox_refund SET settles_at = now() - interval '1 day'
        WHERE charge_ref = (SELECT gateway_ref FROM payment WHERE id = $1)`,
      [payment],
    );
    await reconcileRefunds({ paymentId: payment });
  }
}

const settledRows = `
  SELECT to_char((settled_at AT TIME ZONE $2)::date, 'YYYY-MM-DD') AS date, trim(currency) AS currency, kind,
         sum(cents)::float8 AS cents, sum(count)::int AS count FROM (
    SELECT settled_at, currency, CASE status WHEN 'failed' THEN 'failed' ELSE 'collected' END AS kind, amount_cents AS cents, 1 AS count
      FROM payment WHERE business_id = $1 AND status IN ('succeeded', 'failed', 'reversed')
    UNION ALL SELECT created_at, currency, 'collected', -amount_cents, -1 FROM posting WHERE business_id = $1 AND kind = 'payment_reversed'
    UNION ALL SELECT settled_at, fee_currency, 'fee', fee_cents, 1 FROM payment WHERE business_id = $1 AND fee_currency IS NOT NULL
    UNION ALL SELECT created_at, currency, 'fee', fee_cents, 0 FROM dispute_movement WHERE business_id = $1
    UNION ALL
    SELECT created_at, currency, 'disputed', CASE kind WHEN 'withdrawn' THEN amount_cents ELSE -amount_cents END,
           CASE kind WHEN 'withdrawn' THEN 1 ELSE -1 END FROM dispute_movement WHERE business_id = $1
    UNION ALL SELECT created_at, currency, 'refunded', amount_cents, 1 FROM posting WHERE business_id = $1 AND kind = 'refund'
    UNION ALL
    SELECT created_at, currency, 'refunded', -amount_cents, -1 FROM posting WHERE business_id = $1 AND kind = 'refund_returned') AS r
   GROUP BY 1, 2, 3 HAVING sum(cents) <> 0 OR sum(count) <> 0 ORDER BY 1, 2, 3`;

/** The overview of two days and of the two before them, made from the rows. */
async function expectedOf(businessId: number, timezone: string) {
  const { rows: found } = await client.query<
    Record<"date" | "currency" | "kind", string> & Record<"cents" | "count", number>
  >(settledRows, [businessId, timezone]);
  const periodOf = (from: string, to: string) => {
    const own = found.filter(({ date }) => date >= from && date <= to);
    const names = (kinds: string[]) => [
      ...new Set(own.filter(({ kind }) => kinds.includes(kind)).map(({ currency }) => currency)),
    ];
    const sum = (currency: string, kind: string) => {
      const same = own.filter((row) => row.currency === currency && row.kind === kind);
      return {
        amount_cents: same.reduce((total, { cents }) => total + cents, 0),
        count: same.reduce((total, { count }) => total + count, 0),
      };
    };
    return {
      from,
      to,
      currencies: names(["collected", "refunded", "failed", "fee", "disputed"])
        .sort()
        .map((currency) => {
          const [collected, refunded, disputed] = [
            sum(currency, "collected"),
            sum(currency, "refunded"),
            sum(currency, "disputed"),
          ];
          const kept = collected.amount_cents - refunded.amount_cents - disputed.amount_cents;
          const net = { amount_cents: kept - sum(currency, "fee").amount_cents };
          return { currency, collected, refunded, disputed, failed: sum(currency, "failed"), net };
        }),
      fees: names(["fee"])
        .sort()
        .map((currency) => ({ currency, amount_cents: sum(currency, "fee").amount_cents })),
    };
  };
  return { period: periodOf("2026-10-25", "2026-10-26"), previous: periodOf("2026-10-23", "2026-10-24") };
}

/** Clocks go back on 25 October: in the Azores from 1:00 to 0:00. India's days begin at half past. */
const zones = ["Europe/Berlin", "Atlantic/Azores", "Asia/Kolkata", "America/St_Johns", "Pacific/Auckland"];

describe("whatever happens", () => {
  it("the overview equals the sum of the rows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { id } = await db.business.create({ data: { name: "Any" } });
        const [paid, disputed]: [string[], string[]] = [[], []];
        for (const each of steps) {
          const at = new Date(Date.parse("2026-10-22T20:00:00Z") + each.minute * 60_000);
          await Promise.all(
            [clock.at(at, () => take(id, paid, disputed, each)), moveChanges()].slice(0, 1 + (each.nth % 2)),
          );
          const timezone = zones[each.nth % zones.length] ?? "UTC";
          await db.business.update({ where: { id }, data: { timezone } });
          const { period, previous } = await overview(db, actorOf(id), { from: "2026-10-25", to: "2026-10-26" });
          expect({ period, previous }).toMatchObject(await expectedOf(id, timezone));
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
    const sums = "sums of the overview and settlements differ";
    expect((await checkBooks()).imbalances.filter((line) => line.startsWith(sums))).toEqual([]);
  });

  it("several processes add up each change once", async () => {
    const { id } = await db.business.create({ data: { name: "Many" } });
    const steps = fc.sample(step, { numRuns: 40, seed: 7 });
    const [paid, disputed]: [string[], string[]] = [[], []];
    let done = false;
    const movers = Array.from({ length: 4 }, async () => {
      while (!done) await moveChanges();
    });
    // Fewer at once than the pool has connections: waiting for one longer than a second fails.
    await mapConcurrently(10, steps, (each) =>
      clock.at(new Date("2026-10-25T12:00:00Z"), () => take(id, paid, disputed, { ...each, kind: "pay" })),
    );
    done = true;
    await Promise.all(movers);
    while (await moveChanges());
    const { period, previous } = await overview(db, actorOf(id), { from: "2026-10-25", to: "2026-10-26" });
    expect({ period, previous }).toMatchObject(await expectedOf(id, "UTC"));
    expect(period.currencies.reduce((total, { collected }) => total + collected.count, 0)).toBe(40);
  });
});
