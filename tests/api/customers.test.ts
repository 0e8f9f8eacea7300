import { beforeAll, expect, it } from "vitest";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertPayment } from "@/tests/support/paid";
import { create, savedCard } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const emailsOf = async (key: string, query = "") => {
  const reply = await call("GET", `/customers${query}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return { emails: reply.json.data.map(({ email }) => email), meta: reply.json.meta };
};

it("lists each payer with a link, a subscription or a card once, case-insensitively, in order", async () => {
  const { key } = merchant;
  await create(key, "payment_links", { email: "Zoe@Example.com" });
  await create(key, "payment_links", { email: "zoe@example.com" });
  await create(key, "subscriptions", { email: "mia@example.com" });
  await create(key, "tokenizations", { email: "Bob@example.com" });
  const gone = await create(key, "payment_links", { email: "gone@example.com" });
  await call("DELETE", `/payment-links/${gone}`, { key });
  const stranger = await createMerchant("Stranger");
  await create(stranger.key, "payment_links", { email: "theirs@example.com" });
  await create(merchant.liveKey, "payment_links", { email: "live@example.com" });
  expect((await emailsOf(key)).emails).toEqual(["bob@example.com", "mia@example.com", "zoe@example.com"]);
  expect((await emailsOf(key, "?q=MI")).emails).toEqual(["mia@example.com"]);
  expect((await emailsOf(key, "?q=example")).emails).toEqual(["bob@example.com", "mia@example.com", "zoe@example.com"]);
  expect((await emailsOf(key, "?q=m%40")).emails).toEqual([]);
  expect((await emailsOf(key, "?q=mia%40EX")).emails).toEqual(["mia@example.com"]);
  const zoe = (await call("GET", "/customers/ZOE%40example.com", { key })).json.data;
  expect(zoe).toMatchObject({ email: "zoe@example.com", payment_link_count: 2, subscription_count: 0, card: null });
});

it("pages in both directions without gaps or duplicates", async () => {
  const owner = await createMerchant("Pager");
  const all = Array.from({ length: 23 }, (_, n) => `c${String(n).padStart(2, "0")}@example.com`);
  for (const email of all) await create(owner.key, n(email) % 2 ? "payment_links" : "tokenizations", { email });
  const seen: unknown[] = [];
  let cursor: string | null = null;
  let back: string | null = null;
  for (let turn = 0; turn < 10; turn++) {
    const query: string = cursor ? `?per_page=5&cursor=${cursor}` : "?per_page=5";
    const { emails, meta } = await emailsOf(owner.key, query);
    seen.push(...emails);
    back = meta.prev_cursor;
    cursor = meta.next_cursor;
    if (!cursor) break;
  }
  expect(seen).toEqual(all);
  const previous = await emailsOf(owner.key, `?per_page=5&cursor=${back}`);
  expect(previous.emails).toEqual(all.slice(15, 20));
  const newestFirst = all.slice(10, 20).reverse();
  const within = await emailsOf(owner.key, "?per_page=5&q=c1");
  expect(within.emails).toEqual(newestFirst.slice(0, 5));
  const rest = await emailsOf(owner.key, `?per_page=5&q=c1&cursor=${within.meta.next_cursor}`);
  expect([rest.emails, rest.meta.next_cursor]).toEqual([newestFirst.slice(5), null]);
  const before = await emailsOf(owner.key, `?per_page=5&q=c1&cursor=${rest.meta.prev_cursor}`);
  expect(before.emails).toEqual(within.emails);
  const bad = await call("GET", "/customers?cursor=nonsense", { key: owner.key });
  expect(bad.json.errors).toEqual({ cursor: ["The selected cursor is invalid."] });
});

const n = (email: string): number => Number(email.slice(1, 3));

it("sums a customer's links by currency, and finds their payments case-insensitively", async () => {
  const owner = await createMerchant("Summer");
  const { key } = owner;
  await savedCard(key); // ada@example.com
  const paid = await create(key, "payment_links", { email: "Ada@example.com", amount: "2000" });
  await insertPayment({ _id: paid });
  await create(key, "payment_links", { amount: "700" });
  await create(key, "payment_links", { amount: "1100", currency: "USD" });
  const { data } = (await call("GET", "/customers/ada@example.com", { key })).json;
  expect(data).toMatchObject({ card: { brand: "visa", last4: "4242" }, payment_link_count: 3 });
  expect(data).toMatchObject({ payment_count: 1, dispute_count: 0, totals_are_lower_bound: false });
  const none = { refunded_cents: 0, disputed_cents: 0, overdue_cents: 0, overdue_count: 0 };
  expect(data.totals).toEqual([
    { ...none, currency: "EUR", paid_cents: 2000, lifetime_cents: 2000, open_cents: 700, paid_count: 1, open_count: 1 },
    { ...none, currency: "USD", paid_cents: 0, lifetime_cents: 0, open_cents: 1100, paid_count: 0, open_count: 1 },
  ]);
  const payments = await call("GET", "/payments?email=ADA%40example.com", { key });
  expect(payments.json.data).toMatchObject([{ payment_link_id: paid, email: "Ada@example.com", title: "Order 1001" }]);
  expect((await call("GET", "/payments?email=bob%40example.com", { key })).json.data).toEqual([]);
});

it("finds the payments of a deleted link", async () => {
  const { key } = await createMerchant("Summer");
  const refused = await create(key, "payment_links", { email: "Ada@example.com" });
  await payAt(`/pay?id=${refused}`, "4000000000000002");
  expect((await call("DELETE", `/payment-links/${refused}`, { key })).status).toBe(200);
  const payments = await call("GET", "/payments?email=ada%40example.com", { key });
  expect(payments.json.data).toMatchObject([{ payment_link_id: refused, status: "failed" }]);
});
