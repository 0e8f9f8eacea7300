import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

const totalOf = async (path: string, key: string) => {
  const { json, status, text } = await call("GET", `${path}&with_total=true&per_page=1`, { key });
  expect(status, text).toBe(200);
  const { total, total_is_lower_bound, sums } = json.meta;
  return { total, total_is_lower_bound, sums };
};
const linesOf = async (path: string, key: string) => {
  const { text, status } = await call("GET", path, { key });
  expect(status, text).toBe(200);
  return text.trim().split("\r\n").slice(1);
};

describe("subscriptions", () => {
  let merchant: Merchant;
  const day = 86_400_000;

  beforeAll(async () => {
    merchant = await createMerchant();
    const { key } = merchant;
    const club = await create(key, "packages", { amount: "1500" });
    const paper = await create(key, "packages", { amount: "700", currency: "USD" });
    const price = (id: string, inDays: number) =>
      db.subscription.update({
        where: { id },
        data: { next_amount_cents: 9900, next_amount_from: new Date(Date.now() + inDays * day) },
      });
    await price(await create(key, "subscriptions", { package_id: club, email: "later@example.com" }), 1);
    await price(await create(key, "subscriptions", { package_id: club, email: "raised@example.com" }), -1);
    await create(key, "subscriptions", { package_id: paper, email: "usd@example.com" });
    await create((await createMerchant("Stranger")).key, "subscriptions");
  });

  const get = (query: string) => call("GET", `/subscriptions?${query}`, { key: merchant.key });
  const found = async (query: string) => (await get(query)).json.data.map(({ email }) => String(email).split("@")[0]);

  it("are filtered by their present price", async () => {
    expect(await found("amount_from=700&sort=created_at")).toEqual(["later", "raised", "usd"]);
    expect(await found("amount_from=1501")).toEqual(["raised"]);
    expect(await found("amount_from=701&amount_to=1500")).toEqual(["later"]);
    expect(await found("amount_to=700&currency=USD")).toEqual(["usd"]);
    expect(await found("sort=next_charge_at&amount_to=699")).toEqual([]);
    for (const [value, text] of [
      ["12.50", "be an integer"],
      ["-1", "be at least 0"],
      ["99999999999", "not be greater than 999999999"],
    ])
      expect((await get(`amount_to=${value}`)).json.errors).toEqual({ amount_to: [`The amount_to must ${text}.`] });
    const [line, ...others] = await linesOf("/subscriptions/export?amount_from=9900", merchant.key);
    expect([line, others]).toEqual([expect.stringContaining(",raised@example.com,"), []]);
  });

  it("have a total with the sums of their present prices by currency", async () => {
    const { key } = merchant;
    expect(await totalOf("/subscriptions?amount_from=0", key)).toEqual({
      total: 3,
      total_is_lower_bound: false,
      sums: [
        { currency: "EUR", amount_cents: 11_400, count: 2 },
        { currency: "USD", amount_cents: 700, count: 1 },
      ],
    });
    expect(await totalOf("/subscriptions?q=raised", key)).toMatchObject({
      total: 1,
      sums: [{ currency: "EUR", amount_cents: 9900, count: 1 }],
    });
    expect(await totalOf("/subscriptions?created_from=2099-01-01", key)).toMatchObject({ total: 0, sums: [] });
  });
});

describe("customers", () => {
  let merchant: Merchant;

  const seen = (email: string, at: string, deleted_at: Date | null = null) =>
    db.paymentLink.create({
      data: {
        ...{ id: newId("pl"), business_id: merchant.businessId, livemode: false, email, created_at: new Date(at) },
        ...{ currency: "EUR", amount_cents: 700, title: "Order", deleted_at },
      },
    });

  beforeAll(async () => {
    merchant = await createMerchant();
    await seen("ada@example.com", "2026-01-01T00:00:00Z");
    await seen("Ada@example.com", "2026-03-05T00:00:00Z");
    await seen("adam@example.com", "2026-01-31T23:59:59.999Z");
    await seen("zoe@example.com", "2026-02-01T00:00:00Z");
    await seen("gone@example.com", "2026-01-15T00:00:00Z", new Date());
    const change = (email: string, metadata: Record<string, string>) =>
      call("PUT", `/customers/${email}`, { key: merchant.key, body: { metadata } });
    await change("ada@example.com", { tier: "gold", crm_id: "C-1" });
    await change("zoe@example.com", { tier: "gold" });
    const stranger = await createMerchant("Stranger");
    await create(stranger.key, "payment_links", { email: "theirs@example.com" });
    await call("PUT", "/customers/theirs@example.com", { key: stranger.key, body: { metadata: { tier: "gold" } } });
  });

  const get = (query: string) => call("GET", `/customers?${query}`, { key: merchant.key });
  const found = async (query: string) => {
    const { json, status, text } = await get(query);
    expect(status, text).toBe(200);
    return json.data.map(({ email }) => String(email).split("@")[0]);
  };

  it("are filtered by the days on which they were first seen, both inclusive, newest first", async () => {
    expect(await found("created_from=2026-01-01&created_to=2026-01-31")).toEqual(["adam", "ada"]);
    expect(await found("created_from=2026-01-31&sort=created_at")).toEqual(["adam", "zoe"]);
    expect(await found("created_to=2025-12-31")).toEqual([]);
    const first = await get("created_from=2026-01-01&per_page=1");
    const second = await get(`created_from=2026-01-01&per_page=1&cursor=${first.json.meta.next_cursor}`);
    const third = await get(`created_from=2026-01-01&per_page=1&cursor=${second.json.meta.next_cursor}`);
    const all = [first, second, third].flatMap(({ json }) => json.data.map(({ email }) => email));
    expect(all).toEqual(["zoe@example.com", "adam@example.com", "ada@example.com"]);
    expect(third.json.meta.next_cursor).toBeNull();
    expect(await found("created_from=2026-01-01&q=adam")).toEqual(["adam"]);
    expect(await found("created_from=2026-01-01&q=ADAM%40")).toEqual(["adam"]); // beginnings of words
    for (const query of ["created_from=soon", "created_from=2026-01-01&sort=email", "metadata[tier]=gold&sort=-email"])
      expect((await get(query)).status, query).toBe(422);
  });

  it("are filtered by metadata, also together with others", async () => {
    expect(await found("metadata[tier]=gold")).toEqual(["zoe", "ada"]);
    expect(await found("metadata[tier]=gold&metadata[crm_id]=C-1")).toEqual(["ada"]);
    expect(await found("metadata[tier]=gold&created_from=2026-02-01")).toEqual(["zoe"]);
    expect(await found("metadata[tier]=gold&q=ada%40")).toEqual(["ada"]);
    expect(await found("metadata[tier]=silver")).toEqual([]);
    expect(await found("metadata[tier]=gold&sort=created_at")).toEqual(["ada", "zoe"]);
    expect((await get("metadata=gold")).status).toBe(422);
    const lines = await linesOf("/customers/export?metadata[tier]=gold&created_to=2026-01-31", merchant.key);
    expect(lines).toEqual([expect.stringMatching(/^ada@example\.com,/)]);
  });

  it("have a total, without those whose last link was deleted", async () => {
    const { key } = merchant;
    const counts = async (query: string) => (await totalOf(`/customers?${query}`, key)).total;
    expect(await totalOf("/customers?sort=email", key)).toEqual({ total: 3, total_is_lower_bound: false });
    expect(await counts("sort=-created_at")).toBe(3);
    expect(await counts("created_from=2026-01-01&created_to=2026-01-31")).toBe(2);
    expect(await counts("metadata[tier]=gold")).toBe(2);
    expect(await counts("q=ada")).toBe(2);
    expect(await counts("q=ada%40")).toBe(1);
    expect(await counts("q=gone")).toBe(0);
    expect(await counts("q=gone%40")).toBe(0);
  });
});
