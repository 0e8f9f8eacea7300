import { afterAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { payAt } from "@/tests/support/checkout";
import { call, type Row } from "@/tests/support/http";
import { freePort } from "@/tests/support/launch";
import { insertSending, payAtSandbox } from "@/tests/support/open-attempt";
import { startReceiver } from "@/tests/support/receiver";
import { create, savedCard } from "@/tests/support/samples";
import { type Biller, createBiller } from "@/tests/support/subscribers";
import { createEndpoint } from "@/tests/support/webhooks";

const dayMs = 86_400_000;
const yearsMs = 3 * 365 * dayMs;

/** Every time of day in a text: in bodies, mails' data, request logs and CSV files. */
const timesIn = (text: string): string[] => text.match(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC)?/g) ?? [];
const momentOf = (time: string): number => Date.parse(time.replace(/ UTC$/, "Z"));

/** A business whose test clock is three years ahead from its first row on. */
async function createAhead(): Promise<Biller & { begun: number }> {
  const biller = await createBiller();
  const begun = Date.now() + yearsMs;
  await db.business.update({ where: { id: biller.merchant.businessId }, data: { test_clock_ahead: yearsMs } });
  return { ...biller, begun };
}

describe("a business whose test clock is ahead", () => {
  let biller: Awaited<ReturnType<typeof createAhead>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  const made: Record<string, string> = {};
  const get = (path: string) => call("GET", path, { key: biller.key });
  const rowsOf = async (path: string): Promise<Row[]> => (await get(path)).json.data;

  afterAll(() => receiver?.stop());

  it("makes one of everything", async () => {
    biller = await createAhead();
    const { key } = biller;
    receiver = await startReceiver();
    made.endpoint = (await createEndpoint(biller, receiver.url)).id;
    await call("POST", `/webhook-endpoints/${made.endpoint}/rotate-secret`, { key, body: { overlap_hours: 1 } });
    made.failing = (await createEndpoint(biller, `http://127.0.0.1:${await freePort()}/hook`, ["package.created"])).id;
    made.package = await biller.createPackage();
    await savedCard(key);
    made.subscription = await biller.subscribe(made.package, "ada@example.com");
    made.tokenization = await create(key, "tokenizations", { email: "pending@example.com" });
    made.link = await create(key, "payment_links");
    await payAt(`/pay?id=${made.link}`);
    await call("POST", `/payment-links/${made.link}/refunds`, { key, body: { amount: "100" } });
    made.disputed = await create(key, "payment_links");
    await payAt(`/pay?id=${made.disputed}`, "4000000000000259");
    made.byHand = await create(key, "payment_links");
    const { now } = (await get("/test-clock")).json.data;
    const paid = { method: "cash", paid_on: String(now).slice(0, 10) };
    await call("POST", `/payment-links/${made.byHand}/mark-paid`, { key, body: paid });
    await call("PUT", `/payment-links/${await create(key, "payment_links")}`, {
      key,
      body: { email: "ada@example.com", currency: "EUR", amount: "2000", title: "Changed" },
    });
    await biller.becomes(made.subscription, "active");
    await expect.poll(async () => (await rowsOf("/disputes")).length).toBe(1);
    await call("POST", "/payouts/refresh", { key });
    await expect.poll(async () => (await rowsOf("/payouts")).length).toBe(1);
    await expect.poll(async () => (await rowsOf("/requests?method=POST")).length).toBeGreaterThan(9);
    await expect
      .poll(async () => (await rowsOf(`/webhook-endpoints/${made.failing}/deliveries`))[0]?.attempt_count)
      .toBe(1);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(10);
  });

  /** Nothing is older than the business's first row, and only deadlines are later than its clock. */
  function expectOwnTime(text: string, about: string): void {
    const times = timesIn(text);
    expect(times.length, about).toBeGreaterThan(0);
    const outside = times.filter(
      (time) => momentOf(time) < biller.begun - 2_000 || momentOf(time) > biller.begun + 400 * dayMs,
    );
    expect(outside, `${about}: ${text.slice(0, 3_000)}`).toEqual([]);
  }

  it("sees its own time in every list and every row", async () => {
    const lists = [
      ...["/payment-links", "/payments", "/refunds", "/disputes", "/tokenizations", "/packages", "/subscriptions"],
      ...["/events?per_page=100", "/emails?per_page=100", "/requests?per_page=100", "/webhook-endpoints", "/customers"],
      ...["/payouts", "/payouts/entries"],
    ];
    for (const path of lists) {
      const { text, json } = await get(path);
      expect(json.data.length, path).toBeGreaterThan(0);
      expectOwnTime(text, path);
      for (const { _id, created_at, updated_at } of json.data) {
        expect(momentOf(created_at), `${path} ${_id}`).toBeLessThanOrEqual(Date.now() + yearsMs);
        if (updated_at) expect(updated_at >= created_at, `${path} ${_id} is updated before it is created`).toBe(true);
      }
      if (path === "/customers") continue; // by their last activity
      const order = json.data.map(({ created_at }) => created_at);
      expect(order, path).toEqual([...order].sort().reverse());
    }
    for (const path of ["/payment-links", "/payments", "/subscriptions", "/packages", "/emails", "/requests"]) {
      const [first] = await rowsOf(path);
      expectOwnTime((await get(`${path}/${first?._id}`)).text, path);
    }
  });

  it("sees it in timelines, deliveries, balances, figures and files", async () => {
    for (const path of [
      `/payment-links/${made.link}/timeline`,
      `/payment-links/${made.disputed}/timeline`,
      `/subscriptions/${made.subscription}/timeline`,
      `/packages/${made.package}/timeline`,
      `/tokenizations/${made.tokenization}/timeline`,
      `/webhook-endpoints/${made.endpoint}/deliveries?per_page=100`,
      `/webhook-endpoints/${made.failing}/deliveries`,
      "/payouts/balance",
      "/reports/overview",
      "/reports/forecast",
      "/subscriptions/forecast",
      "/payment-links/export",
      "/reports/export",
    ]) {
      const reply = await get(path);
      expect(reply.status, path).toBe(200);
      expectOwnTime(reply.text, path);
    }
    const [delivery] = await rowsOf(`/webhook-endpoints/${made.failing}/deliveries`);
    expectOwnTime((await get(`/webhook-deliveries/${delivery?._id}`)).text, "a delivery");
    for (const { body } of receiver.received) expectOwnTime(body, "a webhook");
  });

  it("finds rows by it", async () => {
    const at = new Date(biller.begun - 60_000).toISOString();
    const before = await rowsOf(`/payment-links?created_to=${at}`);
    const after = await rowsOf(`/payment-links?created_from=${at}`);
    expect([before.length, after.length > 4]).toEqual([0, true]);
    const { period } = (await get("/reports/overview")).json.data as never as {
      period: { currencies: { collected: { count: number } }[] };
    };
    expect(period.currencies[0]?.collected.count).toBeGreaterThan(2);
  });

  it("gives each row of a period that begins later the time of that instant", async () => {
    const { next_charge_at } = await biller.subscription(made.subscription ?? "");
    await biller.advance(await biller.later(40));
    const [link] = await rowsOf(`/payment-links?subscription_id=${made.subscription}`);
    const [payment] = await rowsOf(`/payments?payment_link_id=${link?._id}`);
    const events = await rowsOf(`/events?resource_id=${link?._id}`);
    const times = [
      link?.created_at,
      link?.paid_at,
      payment?.created_at,
      payment?.settled_at,
      ...events.map((row) => row.created_at),
    ];
    expect(new Set(times)).toEqual(new Set([next_charge_at]));
    const links = await rowsOf("/payment-links");
    expect(links[0]?._id).toBe(link?._id);
    // The clock runs on from where it has arrived.
    const { now } = (await get("/test-clock")).json.data;
    const next = await rowsOf(`/payment-links/${await create(biller.key, "payment_links")}/timeline`);
    expect(String(next.at(-1)?.created_at) > String(now)).toBe(true);
  });
});

describe("attempts of a business whose test clock is years ahead", () => {
  it("are looked up at the gateway by their real age", async () => {
    const biller = await createAhead();
    const { merchant, key } = biller;
    const leave = async (seconds: number): Promise<[link: string, attempt: string]> => {
      const link = await create(key, "payment_links");
      const attempt = newId("pay");
      await insertSending(merchant.businessId, link, attempt, seconds);
      return [link, attempt];
    };
    const [taken, charged] = await leave(10);
    await payAtSandbox(merchant.businessId, charged, "4242424242424242");
    const [free] = await leave(90);
    const [young] = await leave(0);
    const statusOf = async (id: string) => (await biller.get(`/payment-links/${id}`)).status;
    await expect.poll(async () => [await statusOf(taken), await statusOf(free)]).toEqual(["Paid", "Active"]);
    // One whose request may still be in flight is not given up.
    expect(await statusOf(young)).toBe("Processing");
    const [payment] = (await call("GET", `/payments?payment_link_id=${taken}`, { key })).json.data;
    expect(momentOf(String(payment?.created_at))).toBeGreaterThan(biller.begun - 2_000);
  });
});
