import { beforeAll, expect, it } from "vitest";
import { db, pool } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Problems } from "@/lib/resources/reports/problems-contract";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { makeAttempt } from "@/tests/support/money-rows";
import { insertDispute, insertPayment } from "@/tests/support/paid";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";
import { recountSums } from "@/tests/support/sums";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

interface Sum {
  amount_cents: number;
  count: number;
}
interface Currency {
  currency: string;
  collected: Sum;
  refunded: Sum;
  failed: Sum;
  disputed: Sum;
  net: { amount_cents: number };
  success_rate: number | null;
}
interface Report {
  currency: string;
  period: {
    from: string;
    to: string;
    currencies: Currency[];
    fees: { currency: string; amount_cents: number }[];
    churn: unknown[];
  };
  previous: Report["period"];
  previous_days: Report["days"];
  days: { date: string; currency: string; collected_cents: number; refunded_cents: number; collected_count: number }[];
  open: (Sum & { currency: string })[];
  recurring: { currency: string; amount_cents: number; subscriptions: number }[];
  attention: Record<string, number>;
  first: Record<string, boolean>;
}

async function report(key: string, query = ""): Promise<Report> {
  const reply = await call("GET", `/reports/overview${query}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data as unknown as Report;
}

async function problems(key: string): Promise<Problems> {
  const reply = await call("GET", "/reports/problems", { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data as unknown as Problems;
}

/** A link that was paid at `settled_at`. */
async function paid(key: string, settled_at: string, cents: number, over: Record<string, unknown> = {}) {
  const _id = await create(key, "payment_links", { amount: String(cents), ...over });
  const id = await insertPayment({ _id });
  await db.payment.update({
    where: { id },
    data: { created_at: settled_at, settled_at, fee_cents: 30, fee_currency: "EUR" },
  });
  return { id, link: _id };
}

it("counts settlements by day in the business's time zone, for this business only", async () => {
  const stranger = await createMerchant("Stranger");
  await paid(stranger.key, "2026-03-15T12:00:00Z", 9900);
  // In Berlin, 29 March 2026 is from 23:00 UTC the day before until 22:00 UTC.
  await paid(merchant.key, "2026-03-28T22:59:59.999Z", 1000); // the 28th
  const first = await paid(merchant.key, "2026-03-28T23:00:00Z", 2000); // the 29th
  await paid(merchant.key, "2026-03-29T21:59:59.999Z", 3000); // the 29th
  await paid(merchant.key, "2026-03-29T22:00:00Z", 4000); // the 30th
  await paid(merchant.key, "2026-03-29T12:00:00Z", 5000, { currency: "USD" });
  const { business_id, livemode } = await db.payment.findUniqueOrThrow({ where: { id: first.id } });
  const tenantAndLink = { business_id, livemode, payment_link_id: first.link, currency: "EUR" };
  const id = newId("ref");
  await db.payment.update({ where: { id: first.id }, data: { refunded_cents: 700 } });
  await db.refund.create({
    data: {
      ...tenantAndLink,
      id,
      gateway_key: id,
      payment_id: first.id,
      amount_cents: 700,
      status: "succeeded",
      settled_at: "2026-03-29T12:00:00Z",
    },
  });
  const failed = newId("pay");
  await db.payment.create({
    data: {
      ...tenantAndLink,
      id: failed,
      gateway: "sandbox",
      gateway_key: failed,
      amount_cents: 2000,
      status: "failed",
      reason: "card_declined",
      created_at: "2026-03-29T11:00:00Z",
      settled_at: "2026-03-29T11:00:00Z",
    },
  });
  await recountSums({ query: asOwner }, merchant.businessId);
  await recountSums({ query: asOwner }, stranger.businessId);
  const { period, previous, days, previous_days } = await report(merchant.key, "?from=2026-03-29&to=2026-03-29");
  expect([period.from, period.to, previous.from, previous.to]).toEqual([
    "2026-03-29",
    "2026-03-29",
    "2026-03-28",
    "2026-03-28",
  ]);
  expect(period.currencies).toMatchObject([
    {
      currency: "EUR",
      collected: { amount_cents: 5000, count: 2 },
      refunded: { amount_cents: 700, count: 1 },
      failed: { amount_cents: 2000, count: 1 },
      disputed: { amount_cents: 0, count: 0 },
      net: { amount_cents: 5000 - 700 - 90 },
      success_rate: 0.6667,
    },
    { currency: "USD", collected: { amount_cents: 5000, count: 1 }, refunded: { amount_cents: 0, count: 0 } },
  ]);
  expect(period.fees).toMatchObject([{ currency: "EUR", amount_cents: 90 }]);
  expect(previous.currencies).toMatchObject([{ currency: "EUR", collected: { amount_cents: 1000, count: 1 } }]);
  expect(days).toEqual([
    { date: "2026-03-29", currency: "EUR", collected_cents: 5000, refunded_cents: 700, collected_count: 2 },
    { date: "2026-03-29", currency: "USD", collected_cents: 5000, refunded_cents: 0, collected_count: 1 },
  ]);
  expect(previous_days).toEqual([
    { date: "2026-03-28", currency: "EUR", collected_cents: 1000, refunded_cents: 0, collected_count: 1 },
  ]);
  // The lists by the day of settlement have what is counted.
  const listed = async (status: string) => {
    const days = "settled_from=2026-03-28T23:00:00Z&settled_to=2026-03-29T21:59:59.999999Z";
    const path = `/payments?status=${status}&currency=EUR&${days}&with_total=true`;
    return (await call("GET", path, { key: merchant.key })).json.meta;
  };
  expect(await listed("succeeded")).toMatchObject({ total: 2, total_is_lower_bound: false });
  expect(await listed("failed")).toMatchObject({ total: 1, total_is_lower_bound: false });
  // The server's job moves the changes into the sums.
  const waiting = async () =>
    (await pool().query("SELECT FROM settled_change WHERE business_id = $1", [merchant.businessId])).rowCount;
  await expect.poll(waiting).toBe(0);
  expect((await report(merchant.key, "?from=2026-03-29&to=2026-03-29")).days).toEqual(days);
  const march = await report(merchant.key, "?from=2026-03-01&to=2026-03-31");
  const eur = march.days.filter(({ currency }) => currency === "EUR");
  expect(eur.reduce((sum, day) => sum + day.collected_cents, 0)).toBe(10_000);
  expect(march.period.currencies[0]?.collected.amount_cents).toBe(10_000);
});

it("counts the refunds that the list has by currency and days of settlement", async () => {
  const owner = await createMerchant("Refunder");
  const business = { business_id: owner.businessId, livemode: false };
  // In Berlin, 1 and 2 May 2026 are from 22:00 UTC on 30 April until 22:00 UTC on 2 May.
  const refunds: [currency: string, cents: number, status: string, settled_at: string | null][] = [
    ["EUR", 700, "succeeded", "2026-04-30T22:00:00Z"],
    ["EUR", 150, "succeeded", "2026-05-02T21:59:59.999Z"],
    ["EUR", 90, "succeeded", "2026-04-30T21:59:59.999Z"],
    ["EUR", 80, "succeeded", "2026-05-02T22:00:00Z"],
    ["EUR", 60, "failed", "2026-05-01T12:00:00Z"],
    ["EUR", 50, "pending", null],
    ["USD", 300, "succeeded", "2026-05-02T12:00:00Z"],
  ];
  for (const [currency, amount_cents, status, settled_at] of refunds) {
    const payment = await paid(owner.key, "2026-04-20T12:00:00Z", 5000, { currency });
    const id = newId("ref");
    const money = { payment_id: payment.id, payment_link_id: payment.link, amount_cents, currency };
    const sums = { refunded_cents: status === "succeeded" ? amount_cents : 0 };
    const pending = { refund_pending_cents: status === "pending" ? amount_cents : 0 };
    await db.payment.update({ where: { id: payment.id }, data: { ...sums, ...pending } });
    const failure_reason = status === "failed" ? "unknown" : null;
    await db.refund.create({
      data: {
        ...{ ...business, ...money, id, gateway_key: id, status, failure_reason, settled_at },
        created_at: "2026-04-25T12:00:00Z",
      },
    });
  }
  await recountSums({ query: asOwner }, owner.businessId);
  const { period } = await report(owner.key, "?from=2026-05-01&to=2026-05-02");
  const days = "settled_from=2026-04-30T22:00:00Z&settled_to=2026-05-02T21:59:59.999999Z";
  for (const [currency, cents, count] of [
    ["EUR", 850, 2],
    ["USD", 300, 1],
  ] as const) {
    const figure = period.currencies.find((each) => each.currency === currency)?.refunded;
    expect(figure, currency).toMatchObject({ amount_cents: cents, count });
    const path = `/refunds?status=succeeded&currency=${currency}&${days}&with_total=true`;
    const { meta, data } = (await call("GET", path, { key: owner.key })).json;
    expect(meta, currency).toMatchObject({ total: count, sums: [{ currency, amount_cents: cents, count }] });
    expect(data.map((each) => each.amount_cents).reduce((sum, each) => Number(sum) + Number(each), 0)).toBe(cents);
  }
  const csv = await call("GET", `/refunds/export?status=succeeded&currency=EUR&${days}`, { key: owner.key });
  expect(csv.text.trim().split("\r\n")).toHaveLength(3);
  const unread = await call("GET", "/refunds?settled_from=yesterday&currency=XXX", { key: owner.key });
  expect(Object.keys(unread.json.errors)).toEqual(expect.arrayContaining(["settled_from", "currency"]));
});

it("sums open amounts and monthly recurring revenue, and counts what needs attention", async () => {
  const owner = await createMerchant("Overviewer");
  expect((await report(owner.key)).first).toEqual({
    payment_link: false,
    payment: false,
    tokenization: false,
    subscription: false,
  });
  await create(owner.key, "payment_links", { amount: "1000" });
  await create(owner.key, "payment_links", { amount: "2500" });
  const expired = await create(owner.key, "payment_links", { amount: "9900" });
  await db.paymentLink.update({ where: { id: expired }, data: { expires_at: new Date(Date.now() - 1000) } });
  const inactive = await create(owner.key, "payment_links", { amount: "9900" });
  await call("POST", `/payment-links/${inactive}/deactivate`, { key: owner.key });
  for (const [frequency, amount] of [
    ["monthly", "1500"],
    ["yearly", "12000"],
    ["quarterly", "3000"],
  ]) {
    const package_id = await create(owner.key, "packages", { frequency, amount });
    const id = await create(owner.key, "subscriptions", { package_id, email: `${frequency}@example.com` });
    const status = frequency === "quarterly" ? "past_due" : "active";
    await db.subscription.update({ where: { id }, data: { status } });
  }
  const { open, recurring, attention, first } = await report(owner.key);
  // Billing may have opened first periods already: at least the links created here are open.
  expect(open[0]?.amount_cents).toBeGreaterThanOrEqual(3500);
  expect(recurring).toEqual([{ currency: "EUR", amount: 35, amount_cents: 3500, subscriptions: 3 }]);
  expect(attention).toEqual({
    unknown_payments: 0,
    past_due_subscriptions: 1,
    unpaid_subscriptions: 0,
    failed_refunds: 0,
    open_disputes: 0,
    dispute_deadline: null,
    failing_webhooks: 0,
    mismatched_payments: 0,
    untold_prices: 0,
    broken_gateway_accounts: 0,
    failed_first_payments: 0,
    unknown_charges: 0,
    differing_balances: 0,
  });
  expect(first).toEqual({ payment_link: true, payment: false, tokenization: false, subscription: true });
});

it("has the business's currency, and what disputes took", async () => {
  const owner = await createMerchant("Disputed");
  await db.business.update({ where: { id: owner.businessId }, data: { currency: "CHF" } });
  const before = await report(owner.key);
  expect([before.currency, before.period.currencies]).toEqual(["CHF", []]);
  const _id = await create(owner.key, "payment_links", { amount: "2000" });
  await insertDispute({ _id });
  await recountSums({ query: asOwner }, owner.businessId);
  expect((await report(owner.key)).period.currencies).toMatchObject([
    {
      currency: "EUR",
      collected: { amount_cents: 2000, count: 1 },
      disputed: { amount_cents: 2000, count: 1 },
      net: { amount_cents: -1500 }, // the fee
      success_rate: 1,
    },
  ]);
});

it("counts subscriptions that begin and end, and lists exactly those", async () => {
  const owner = await createMerchant("Churner");
  const package_id = await create(owner.key, "packages", { amount: "1500" });
  const ids = [];
  const names = ["ada", "bob", "cleo", "dora", "eve", "finn", "gus"];
  for (const email of names.map((name) => `${name}@example.com`))
    ids.push(await create(owner.key, "subscriptions", { package_id, email }));
  const set = (id: string, status: string) =>
    db.subscription.update({
      where: { id },
      data: { status, ...(["unpaid", "paused"].includes(status) && { next_charge_at: null }) },
    });
  const [ada = "", bob = "", cleo = "", dora = "", eve = "", finn = "", gus = ""] = ids;
  const cancel = (id: string) => call("PUT", `/subscriptions/${id}`, { key: owner.key, body: { status: "cancel" } });
  for (const id of ids.slice(0, 6)) await set(id, "active");
  await set(ada, "past_due"); // still recurs
  await set(ada, "unpaid");
  await cancel(ada); // has ended before
  await cancel(bob);
  await set(cleo, "paused"); // has not ended
  for (const status of ["unpaid", "active"]) await set(dora, status); // was paid after all
  await cancel(eve);
  await call("DELETE", `/subscriptions/${eve}`, { key: owner.key }); // no list has it
  await call("DELETE", `/subscriptions/${finn}`, { key: owner.key });
  await cancel(gus); // never began
  const listed = async (query: string) => {
    const reply = await call("GET", `/subscriptions?churned=true&currency=EUR&${query}`, { key: owner.key });
    return reply.json.data.map(({ email }) => String(email).split("@")[0]);
  };
  const check = async () => {
    const { period } = await report(owner.key);
    expect(period.churn).toEqual([{ currency: "EUR", started: 6, ended: 2, at_start: 0, rate: null }]);
    const days = `ended_from=${period.from}T00:00:00Z&ended_to=${period.to}T23:59:59.999999Z`;
    expect(await listed(`sort=-ended_at&${days}`)).toEqual(["bob", "ada"]);
    expect(await listed(`sort=ended_at&${days}`)).toEqual(["ada", "bob"]);
    expect(await listed(days)).toEqual(["bob", "ada"]);
  };
  await check();
  const waiting = async () =>
    (await pool().query("SELECT FROM settled_change WHERE business_id = $1", [owner.businessId])).rowCount;
  await expect.poll(waiting).toBe(0);
  await check(); // now from the sums
});

it("compares the ends with the subscriptions that recurred at the start", async () => {
  const owner = await createMerchant("Rated");
  const package_id = await create(owner.key, "packages", { amount: "1500" });
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d"])
    ids.push(await create(owner.key, "subscriptions", { package_id, email: `${name}@example.com` }));
  for (const id of ids) await db.subscription.update({ where: { id }, data: { status: "active" } });
  await db.subscription.update({ where: { id: ids[0] }, data: { status: "paused", next_charge_at: null } });
  await call("PUT", `/subscriptions/${ids[1]}`, { key: owner.key, body: { status: "cancel" } });
  const churn = async () => (await report(owner.key)).period.churn;
  const now = { currency: "EUR", started: 4, ended: 1, at_start: 0, rate: null };
  expect(await churn()).toEqual([now]);
  const waiting = async () =>
    (await pool().query("SELECT FROM settled_change WHERE business_id = $1", [owner.businessId])).rowCount;
  await expect.poll(waiting).toBe(0);
  // As if they had begun long before the period.
  await asOwner(`UPDATE settled_sum SET started_count = 0 WHERE business_id = ${owner.businessId}`);
  expect(await churn()).toEqual([{ ...now, started: 0, at_start: 4, rate: 0.25 }]);
});

it("says why attempts failed and what became of links, of this business and mode only", async () => {
  const owner = await createMerchant("Funnel");
  const stranger = await createMerchant("Other funnel");
  const link = (key: string, over = {}) => create(key, "payment_links", { amount: "1000", ...over });
  const [opened, tried, done] = [await link(owner.key), await link(owner.key), await link(owner.key)];
  await link(owner.key);
  await link(owner.key, { currency: "USD" });
  await link(owner.liveKey);
  await link(stranger.key);
  const hour = new Date(new Date().setUTCMinutes(0, 0, 0));
  await db.linkVisit.create({ data: { payment_link_id: opened, hour, last_at: new Date() } });
  await insertPayment({ _id: done });
  const { business_id, livemode } = await db.paymentLink.findUniqueOrThrow({ where: { id: tried } });
  for (const [reason, created_at] of [
    ["insufficient_funds", new Date()],
    ["insufficient_funds", new Date()],
    ["card_declined", new Date()],
    ["expired_card", new Date(Date.now() - 40 * 86_400_000)],
  ] as const) {
    const id = newId("pay");
    const about = { business_id, livemode, payment_link_id: tried, currency: "EUR", amount_cents: 1000 };
    const attempt = { id, gateway: "sandbox", gateway_key: id, status: "failed", reason, settled_at: created_at };
    await db.payment.create({ data: { ...about, ...attempt, created_at } });
  }
  const rates = async (key: string) => (await call("GET", "/reports/rates", { key })).json.data;
  expect(await rates(owner.key)).toMatchObject({
    period: {
      failures: [
        { currency: "EUR", reason: "insufficient_funds", count: 2 },
        { currency: "EUR", reason: "card_declined", count: 1 },
      ],
      failures_are_sample: false,
      links: [
        {
          ...{ currency: "EUR", created: 4, opened: 3, tried: 2, paid: 1 },
          ...{ opened_rate: 0.75, tried_rate: 0.5, paid_rate: 0.25 },
        },
        { currency: "USD", created: 1, opened: 0, tried: 0, paid: 0 },
      ],
      links_are_sample: false,
    },
    previous: { failures: [{ currency: "EUR", reason: "expired_card", count: 1 }], links: [] },
  });
  expect(await rates(stranger.key)).toMatchObject({
    period: { failures: [], links: [{ currency: "EUR", created: 1, opened: 0, tried: 0, paid: 0 }] },
  });
});

it("counts a failed refund until the payment is refunded again", async () => {
  const owner = await createMerchant("Refunder");
  const payment_link_id = await create(owner.key, "payment_links", { amount: "1000" });
  const payment_id = await insertPayment({ _id: payment_link_id });
  const { business_id, livemode } = await db.payment.findUniqueOrThrow({ where: { id: payment_id } });
  const refund = async (status: string) => {
    const id = newId("ref");
    const about = { business_id, livemode, payment_id, payment_link_id, currency: "EUR", amount_cents: 100 };
    const failure_reason = status === "failed" ? "card_gone" : null;
    await db.refund.create({ data: { ...about, id, gateway_key: id, status, failure_reason, settled_at: new Date() } });
  };
  const failed = async () => {
    const { failed_refunds } = await problems(owner.key);
    expect((await report(owner.key)).attention.failed_refunds).toBe(failed_refunds.length);
    const listed = (await call("GET", "/refunds?unresolved=true", { key: owner.key })).json
      .data as unknown as unknown[];
    expect(listed).toMatchObject(failed_refunds);
    return failed_refunds.map(({ payment_id }) => payment_id);
  };
  await refund("failed");
  expect(await failed()).toEqual([payment_id]);
  await refund("failed");
  expect(await failed()).toEqual([payment_id, payment_id]);
  await refund("succeeded");
  expect(await failed()).toEqual([]);
});

it("lists the subscriptions that make the recurring revenue", async () => {
  const owner = await createMerchant("Recurrer");
  for (const [currency, status] of [
    ["EUR", "active"],
    ["EUR", "past_due"],
    ["EUR", "unpaid"],
    ["USD", "active"],
  ] as const) {
    const package_id = await create(owner.key, "packages", { currency, amount: "1500" });
    const id = await create(owner.key, "subscriptions", { package_id, email: `${status}@example.com` });
    const due = status === "unpaid" ? { next_charge_at: null } : {};
    await db.subscription.update({ where: { id }, data: { status, ...due } });
  }
  const { recurring } = await report(owner.key);
  for (const { currency, subscriptions } of recurring) {
    const path = `/subscriptions?recurring=true&currency=${currency}&with_total=true`;
    expect((await call("GET", path, { key: owner.key })).json.meta).toMatchObject({ total: subscriptions });
  }
  expect(recurring).toMatchObject([
    { currency: "EUR", subscriptions: 2 },
    { currency: "USD", subscriptions: 1 },
  ]);
});

it("counts subscriptions whose first payment failed until they start", async () => {
  const biller = await createBiller();
  const email = "broke@example.com";
  await biller.saveCard(email, "4000000000009995");
  const id = await biller.subscribe(await biller.createPackage(), email);
  const failed = async () => (await report(biller.key)).attention.failed_first_payments;
  await expect.poll(failed).toBe(1);
  expect(await biller.subscription(id)).toMatchObject({
    status: "created",
    payment_links: [{ status: "Active", attempt_count: 1 }],
  });
  // Newer ones that only wait for their payer are none.
  const package_id = await biller.createPackage();
  for (const name of ["ada", "bob", "mary", "grace"]) await biller.subscribe(package_id, `${name}@example.com`);
  const { failed_first_payments, ...others } = await problems(biller.key);
  expect(failed_first_payments).toMatchObject([{ subscription_id: id, email, attempt_count: 1 }]);
  expect(others).toMatchObject({ past_due_subscriptions: [], unpaid_subscriptions: [] });
  const listed = async (query: string) => (await call("GET", `/subscriptions?${query}`, { key: biller.key })).json.data;
  expect(await listed("first_payment_failed=true")).toMatchObject([{ _id: id }]);
  expect(await listed("first_payment_failed=false")).toHaveLength(4);
  // One that ended keeps its link, but needs no attention.
  const ended = await biller.subscribe(package_id, email);
  await expect.poll(failed).toBe(2);
  const body = { status: "cancel", close_links: false };
  expect((await call("PUT", `/subscriptions/${ended}`, { key: biller.key, body })).status).toBe(200);
  expect(await failed()).toBe(1);
  expect(await listed("first_payment_failed=true")).toMatchObject([{ _id: id }]);
  // A good card starts it.
  await biller.saveCard(email);
  await biller.becomes(id, "active");
  expect(await failed()).toBe(0);
});

it("counts the currently failing webhook endpoints of this business and mode", async () => {
  const owner = await createMerchant("Listener");
  const stranger = await createMerchant("Unheard");
  const make = async (key: string, data: Record<string, unknown>) => {
    const id = await create(key, "webhook_endpoints");
    await db.webhookEndpoint.update({ where: { id }, data });
    return id;
  };
  const failing_since = new Date();
  const gone = { status: "disabled", disabled_reason: "gone", failing_since };
  const failing = await make(owner.key, { failing_since });
  const disabled = await make(owner.key, { status: "disabled", disabled_reason: "failing", failing_since });
  const deleted = await make(owner.key, gone);
  await make(owner.key, gone);
  await make(owner.key, {});
  // An endpoint disabled by hand needs no attention.
  await make(owner.key, { status: "disabled", disabled_reason: "by_hand", failing_since });
  await make(owner.liveKey, gone);
  await make(stranger.key, { failing_since });
  await call("DELETE", `/webhook-endpoints/${deleted}`, { key: owner.key });
  const counted = async (key: string) => {
    const { failing_webhooks } = await problems(key);
    expect((await report(key)).attention.failing_webhooks).toBe(failing_webhooks.length);
    return failing_webhooks.length;
  };
  expect(await counted(owner.key)).toBe(3);
  expect(await counted(owner.liveKey)).toBe(1);
  await call("POST", `/webhook-endpoints/${disabled}/enable`, { key: owner.key });
  await call("DELETE", `/webhook-endpoints/${failing}`, { key: owner.key });
  expect(await counted(owner.key)).toBe(1);
});

it("has the newest problems of each kind that the caller may read", async () => {
  const owner = await createMerchant("Troubled");
  const stranger = await createMerchant("Untroubled");
  const owing: string[] = [];
  for (const n of [1, 2, 3, 4]) {
    const package_id = await create(owner.key, "packages", { amount: "1500" });
    const id = await create(owner.key, "subscriptions", { package_id, email: `debtor${n}@example.com` });
    await expect.poll(() => db.paymentLink.count({ where: { subscription_id: id } })).toBe(1);
    await db.subscription.update({ where: { id }, data: { status: "past_due" } });
    owing.unshift(id);
  }
  const link = await db.paymentLink.findUniqueOrThrow({ where: { id: await create(owner.key, "payment_links") } });
  const unknown = await makeAttempt(link, { status: "unknown" });
  await db.webhookEndpoint.update({
    where: { id: await create(owner.key, "webhook_endpoints") },
    data: { failing_since: new Date() },
  });
  const all = await problems(owner.key);
  expect(all.past_due_subscriptions.map(({ subscription_id }) => subscription_id)).toEqual(owing.slice(0, 3));
  const [newest] = all.past_due_subscriptions;
  const mailOfNewest = async () => (await problems(owner.key)).past_due_subscriptions[0]?.mail ?? null;
  await expect.poll(mailOfNewest).toMatchObject({ status: "outbox" });
  const before = await mailOfNewest();
  await call("POST", `/payment-links/${newest?.payment_link_id}/send`, { key: owner.key });
  await expect.poll(async () => String((await mailOfNewest())?.at) > String(before?.at)).toBe(true);
  await expect.poll(mailOfNewest).toMatchObject({ status: "outbox" });
  expect(all).toMatchObject({
    past_due_subscriptions: Array.from({ length: 3 }, () => ({ amount_cents: 1500, currency: "EUR" })),
    unknown_payments: [{ _id: unknown.id }],
    failing_webhooks: [{ status: "enabled" }],
  });
  const none = { unknown_payments: [], past_due_subscriptions: [], failing_webhooks: [] };
  expect(await problems(stranger.key)).toMatchObject(none);
  expect(await problems(owner.liveKey)).toMatchObject(none);
  expect(await problems(await createKey(owner, ["reports:read"]))).toMatchObject(none);
  const withoutLinks = await problems(await createKey(owner, ["reports:read", "subscriptions:read"]));
  expect(withoutLinks.past_due_subscriptions.map(({ mail }) => mail)).toEqual([null, null, null]);
});

it("refuses an invalid period", async () => {
  const errors = async (query: string) =>
    (await call("GET", `/reports/overview${query}`, { key: merchant.key })).json.errors;
  expect(await errors("?from=2026-02-30")).toEqual({ from: ["The from is not a valid date."] });
  expect(await errors("?from=x&to=x")).toEqual({
    from: ["The from is not a valid date."],
    to: ["The to is not a valid date."],
  });
  expect(await errors("?from=2026-02-03&to=2026-02-02")).toEqual({ to: ["The to must not be before from."] });
  expect(await errors("?from=2020-01-01&to=2026-02-02")).toEqual({
    to: ["The period must not be longer than 366 days."],
  });
  expect(await errors("?from=2020-01-01")).toEqual({ from: ["The period must not be longer than 366 days."] });
});

it("answers for the last days that a request can name", async () => {
  for (const report of ["overview", "rates"])
    for (const query of ["?to=9999-12-31", "?from=9999-12-31", "?from=9999-12-31&to=9999-12-31"]) {
      const { status, json } = await call("GET", `/reports/${report}${query}`, { key: merchant.key });
      expect([report, query, status, json.data.period]).toMatchObject([report, query, 200, { to: "9999-12-31" }]);
    }
});

it("refuses a currency that does not exist, in each list that filters by it", async () => {
  const { key } = await createMerchant();
  for (const list of ["payment-links", "payments", "refunds", "disputes", "packages", "subscriptions", "payouts"]) {
    const { status, json } = await call("GET", `/${list}?currency=anything`, { key });
    expect([list, status, Object.keys(json.errors ?? {})]).toEqual([list, 422, ["currency"]]);
  }
});

it("forecasts for a key that may read reports alone, without naming subscriptions at risk", async () => {
  const { merchant: owner, key, ...biller } = await createBiller();
  const email = "ada@example.com";
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.becomes(id, "active");
  const [card] = (await call("GET", `/tokenizations?email=${email}`, { key })).json.data;
  expect((await call("DELETE", `/tokenizations/${card?._id}`, { key })).status).toBe(200);

  const forecast = async (key: string, path = "/reports/forecast") =>
    (await call("GET", `${path}?days=40`, { key })).json.data;
  const figures = { totals: [{ amount_cents: 1500, count: 1 }], days: [{ count: 1 }], months: [{ count: 1 }] };
  const whole = { ...figures, at_risk: [{ subscription_id: id, email, reason: "no_card" }] };
  expect(await forecast(key)).toMatchObject(whole);
  expect(await forecast(await createKey(owner, ["subscriptions:read"]), "/subscriptions/forecast")).toMatchObject(
    whole,
  );
  expect(await forecast(await createKey(owner, ["reports:read"]))).toMatchObject({ ...figures, at_risk: [] });
});
