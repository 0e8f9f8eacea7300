import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/db";
import { payAt, saveCardAt } from "../support/checkout";
import { createMerchant, type Merchant } from "../support/factory";
import { call, type Row } from "../support/http";
import { create, savedCard } from "../support/samples";

let merchant: Merchant;
let key: string;

const get = async (path: string): Promise<Row> => (await call("GET", path, { key })).json.data;

/** Advances the test clock and waits until everything up to then has happened. */
async function advance(to: string): Promise<void> {
  const reply = await call("POST", "/test-clock", { key, body: { to } });
  if (reply.status !== 200) throw new Error(reply.text);
  await expect.poll(async () => (await get("/test-clock")).status, { timeout: 60_000, interval: 100 }).toBe("ready");
}

async function later(days: number): Promise<string> {
  return new Date(Date.parse(String((await get("/test-clock")).now)) + days * 86_400_000).toISOString();
}

async function subscribe(over: Record<string, unknown> = {}, email = "ada@example.com"): Promise<string> {
  const pkg = { name: "Reading club", amount: "1500", currency: "EUR", frequency: "monthly", ...over };
  const { data } = (await call("POST", "/packages", { key, body: pkg })).json;
  return create(key, "subscriptions", { package_id: data._id, email });
}

const periods = (subscription: Row) => [...subscription.payment_links].reverse();
const billed = (id: string, count: number) =>
  expect
    .poll(async () => (await get(`/subscriptions/${id}`)).payment_links.length, { timeout: 15_000 })
    .toBeGreaterThanOrEqual(count);

describe("a subscription with a saved card", () => {
  beforeAll(async () => {
    merchant = await createMerchant();
    key = merchant.key;
  });

  it("is charged at once, then every period on its day", async () => {
    await savedCard(key);
    const id = await subscribe();
    await expect.poll(async () => (await get(`/subscriptions/${id}`)).status, { timeout: 15_000 }).toBe("active");
    const first = await get(`/subscriptions/${id}`);
    expect(first.payment_links).toMatchObject([{ paid: true, amount: 15, title: "Reading club", attempt_count: 1 }]);
    await advance(await later(100));
    const after = await get(`/subscriptions/${id}`);
    expect(periods(after).map(({ paid }) => paid)).toEqual([true, true, true, true]);
    const starts = periods(after).map(({ period_start }) => String(period_start));
    const ends = periods(after).map(({ period_end }) => String(period_end));
    expect(starts.slice(1)).toEqual(ends.slice(0, -1));
    expect(after.next_charge_at).toBe(ends.at(-1));
    const payments = (await call("GET", `/payments?payment_link_id=${after.payment_links[0]?._id}`, { key })).json.data;
    expect(payments).toMatchObject([{ status: "succeeded", tokenization_id: expect.stringMatching(/^tkn_/) }]);
  });
});

describe("31 January", () => {
  it("is followed by 28 February and 31 March, at midnight in Berlin", async () => {
    merchant = await createMerchant();
    key = merchant.key;
    const year = new Date().getUTCFullYear() + 1;
    await savedCard(key);
    const id = await subscribe({ date_charge_start: `${year}-01-31` });
    const before = await get(`/subscriptions/${id}`);
    expect([before.status, before.payment_links]).toEqual(["created", []]);
    await advance(`${year}-01-31T00:00:00+01:00`);
    expect((await get(`/subscriptions/${id}`)).status).toBe("active");
    await advance(`${year}-04-01T00:00:00+02:00`);
    const after = await get(`/subscriptions/${id}`);
    const february = year % 4 === 0 ? 28 : 27;
    expect(periods(after).map(({ period_start }) => period_start)).toEqual([
      `${year}-01-30T23:00:00.000000Z`,
      `${year}-02-${february}T23:00:00.000000Z`,
      `${year}-03-30T22:00:00.000000Z`,
    ]);
  });
});

describe("dunning", () => {
  beforeAll(async () => {
    merchant = await createMerchant();
    key = merchant.key;
  });

  it("tries again on days 2, 7, 14 and 21, then gives up as the business wants", async () => {
    const email = "poor@example.com";
    const tokenization = await create(key, "tokenizations", { email });
    const { token } = await get(`/tokenizations/${tokenization}`);
    await saveCardAt(`/activate/${token}`, "4000000000009995");
    const id = await subscribe({}, email);
    await billed(id, 1);
    await expect
      .poll(async () => (await get(`/subscriptions/${id}`)).payment_links[0]?.attempt_count, { timeout: 15_000 })
      .toBe(1);
    const first = await get(`/subscriptions/${id}`);
    // Never paid yet: there is nothing to fall behind of.
    expect(first.status).toBe("created");
    const failedAt =
      (await db.paymentLink.findFirstOrThrow({ where: { subscription_id: id } })).failed_at?.getTime() ?? 0;
    for (const [i, days] of [2, 7, 14, 21].entries()) {
      const next = String((await get(`/subscriptions/${id}`)).payment_links[0]?.next_attempt_at);
      expect(Math.round((Date.parse(next) - failedAt) / 86_400_000)).toBe(days);
      await advance(new Date(Date.parse(next) + 1000).toISOString());
      expect((await get(`/subscriptions/${id}`)).payment_links[0]?.attempt_count).toBe(i + 2);
    }
    const ended = await get(`/subscriptions/${id}`);
    expect(ended).toMatchObject({ status: "cancel", next_charge_at: null });
    expect(ended.payment_links[0]).toMatchObject({ status: "Active", next_attempt_at: null });
  });

  it("recovers at once when the payer saves another card", async () => {
    const email = "grace@example.com";
    const first = await create(key, "tokenizations", { email });
    await saveCardAt(`/activate/${(await get(`/tokenizations/${first}`)).token}`);
    const id = await subscribe({}, email);
    await expect.poll(async () => (await get(`/subscriptions/${id}`)).status, { timeout: 15_000 }).toBe("active");
    const second = await create(key, "tokenizations", { email });
    await saveCardAt(`/activate/${(await get(`/tokenizations/${second}`)).token}`, "4000000000000341");
    await advance(await later(32));
    expect((await get(`/subscriptions/${id}`)).status).toBe("past_due");
    const third = await create(key, "tokenizations", { email });
    await saveCardAt(`/activate/${(await get(`/tokenizations/${third}`)).token}`);
    await expect.poll(async () => (await get(`/subscriptions/${id}`)).status, { timeout: 15_000 }).toBe("active");
    expect(periods(await get(`/subscriptions/${id}`)).map(({ paid }) => paid)).toEqual([true, true]);
  });

  it("is over when the payer pays by hand", async () => {
    const email = "hand@example.com";
    const id = await subscribe({}, email);
    await billed(id, 1);
    expect((await get(`/subscriptions/${id}`)).status).toBe("created");
    const [link] = (await get(`/subscriptions/${id}`)).payment_links;
    await payAt(`/pay?id=${link?._id}`);
    expect((await get(`/subscriptions/${id}`)).status).toBe("active");
    await advance(await later(32));
    expect((await get(`/subscriptions/${id}`)).status).toBe("active");
    await advance(await later(3));
    const late = await get(`/subscriptions/${id}`);
    expect([late.status, late.payment_links[0]?.attempt_count]).toEqual(["past_due", 0]);
    await payAt(`/pay?id=${late.payment_links[0]?._id}`);
    expect((await get(`/subscriptions/${id}`)).status).toBe("active");
  });
});
