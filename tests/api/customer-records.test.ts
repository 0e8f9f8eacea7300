import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { summedLinks } from "@/lib/resources/customers/contract";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertDispute } from "@/tests/support/paid";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant("Records");
});

const path = (email: string) => `/customers/${encodeURIComponent(email)}`;
const put = (email: string, body: object, key = merchant.key) => call("PUT", path(email), { key, body });
const get = async (email: string, key = merchant.key) => (await call("GET", path(email), { key })).json.data;

describe("PUT /customers/{email}", () => {
  it("writes name, notes and metadata, keeps what is not sent, and removes what is null", async () => {
    const { key } = merchant;
    await create(key, "payment_links", { email: "Anna.Berg@example.com" });
    expect(await get("anna.berg@example.com")).toMatchObject({ name: null, notes: null, metadata: {} });
    const body = {
      name: "  Anna Berg ",
      notes: "Calls on Mondays.\nPrefers e-mail.",
      metadata: { crm: "17", vat: "DE1" },
    };
    const made = await put("ANNA.berg@example.com", body);
    expect(made.status, made.text).toBe(200);
    const written = { name: "Anna Berg", notes: body.notes, metadata: { crm: "17", vat: "DE1" } };
    expect(made.json.data).toMatchObject({ ...written, email: "anna.berg@example.com", payment_link_count: 1 });
    const merged = await put("anna.berg@example.com", { metadata: { crm: "18", vat: null, plan: "gold" } });
    expect(merged.json.data).toMatchObject({ ...written, metadata: { crm: "18", plan: "gold" } });
    const emptied = await put("anna.berg@example.com", { name: "", notes: null, metadata: null });
    expect(emptied.json.data).toMatchObject({ name: null, notes: null, metadata: {} });
    await put("anna.berg@example.com", body);
    expect(await get("anna.berg@example.com")).toMatchObject(written);
  });

  it("records each change in the audit log, and none where nothing changes", async () => {
    const { key, businessId } = merchant;
    await create(key, "payment_links", { email: "log@example.com" });
    await put("log@example.com", { name: "Log" });
    await put("log@example.com", { name: "Log" });
    const where = { business_id: businessId, action: "customer.changed", resource_id: "log@example.com" };
    expect(await db.auditEntry.findMany({ where })).toMatchObject([
      { livemode: false, about: "Log", before: { name: null }, after: { name: "Log" } },
    ]);
  });

  it("refuses what is too long, too much or no text", async () => {
    const { key } = merchant;
    await create(key, "payment_links", { email: "long@example.com" });
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`key${n}`, "x"]));
    expect(
      (await put("long@example.com", { name: "x".repeat(200), notes: "ü".repeat(5000), metadata: twenty })).status,
    ).toBe(200);
    for (const [field, value] of [
      ["name", "x".repeat(201)],
      ["name", 7],
      ["notes", "ü".repeat(5001)],
      ["metadata", { one: "more" }],
      ["metadata", { "with space": "x" }],
      ["metadata", { key1: "x".repeat(501) }],
      ["metadata", { key1: 7 }],
      ["metadata", "text"],
    ] as const) {
      const reply = await put("long@example.com", { [field]: value });
      expect([reply.status, Object.keys(reply.json.errors)], `${field} ${JSON.stringify(value)}`).toEqual([
        422,
        [field],
      ]);
    }
    expect((await get("long@example.com")).metadata).toEqual(twenty);
  });

  it("is per business and mode, needs its scope, and a customer that exists", async () => {
    const { key, liveKey } = merchant;
    const stranger = await createMerchant("Stranger");
    for (const each of [key, liveKey, stranger.key]) await create(each, "payment_links", { email: "two@example.com" });
    await put("two@example.com", { name: "Mine", metadata: { a: "1" } });
    for (const each of [liveKey, stranger.key])
      expect(await get("two@example.com", each)).toMatchObject({ name: null, metadata: {} });
    const reader = await createKey(merchant, ["customers:read"]);
    expect((await put("two@example.com", { name: "No" }, reader)).status).toBe(403);
    const writer = await createKey(merchant, ["customers:write"]);
    expect((await put("two@example.com", { name: "Yes" }, writer)).json.data.name).toBe("Yes");
    expect((await put("nobody@example.com", { name: "No" })).status).toBe(404);
  });
});

describe("search", () => {
  it("finds customers by words of their name and within their e-mail", async () => {
    const { key } = await createMerchant("Search");
    const found = async (q: string) =>
      (await call("GET", `/customers?q=${encodeURIComponent(q)}`, { key })).json.data.map(({ email }) => email);
    await create(key, "payment_links", { email: "anna.berg@example.com" });
    await create(key, "subscriptions", { email: "paul@bergwerk.example" });
    await create(key, "tokenizations", { email: "kai@example.com" });
    expect(await found("berg")).toEqual(["paul@bergwerk.example", "anna.berg@example.com"]);
    expect(await found("berg anna")).toEqual(["anna.berg@example.com"]);
    await put("kai@example.com", { name: "Kai Müller-Lüdenscheidt" }, key);
    for (const q of ["müller", "LÜDEN kai", "kai"]) expect(await found(q), q).toEqual(["kai@example.com"]);
    const [hit] = (await call("GET", "/search?q=m%C3%BCller", { key })).json.data;
    expect(hit).toMatchObject({ type: "customer", title: "Kai Müller-Lüdenscheidt", email: "kai@example.com" });
    await put("kai@example.com", { name: null }, key);
    expect(await found("müller")).toEqual([]);
    expect(await found("!")).toEqual([]);
  });

  it("knows the new address of a link", async () => {
    const { key } = await createMerchant("Search");
    const found = async (q: string) =>
      (await call("GET", `/customers?q=${q}`, { key })).json.data.map(({ email }) => email);
    const id = await create(key, "payment_links", { email: "old@example.com" });
    const body = { email: "new@example.com", currency: "EUR", amount: "2000", title: "Changed" };
    expect((await call("PUT", `/payment-links/${id}`, { key, body })).status).toBe(200);
    expect([await found("old"), await found("new")]).toEqual([[], ["new@example.com"]]);
  });
});

describe("sums", () => {
  it("counts refunds and lost disputes against the lifetime value", async () => {
    const { key } = await createMerchant("Sums");
    const email = "sum@example.com";
    const first = await create(key, "payment_links", { email, amount: "5000" });
    const second = await create(key, "payment_links", { email, amount: "3000" });
    await payAt(`/pay?id=${first}`);
    const dispute = await insertDispute({ _id: second });
    await call("POST", `/payment-links/${first}/refunds`, { key, body: { amount: "1000" } });
    expect((await get(email, key)).totals).toMatchObject([
      { paid_cents: 8000, refunded_cents: 1000, lifetime_cents: 7000 },
    ]);
    await db.dispute.update({ where: { id: dispute }, data: { status: "lost", closed_at: new Date() } });
    const { amount_cents } = await db.dispute.findUniqueOrThrow({ where: { id: dispute } });
    const customer = await get(email, key);
    expect(customer).toMatchObject({ payment_count: 2, dispute_count: 1 });
    expect(customer.totals).toMatchObject([{ disputed_cents: amount_cents, lifetime_cents: 7000 - amount_cents }]);
    expect(String(customer.first_payment_at) < String(customer.last_payment_at)).toBe(true);
    const [listed] = (await call("GET", "/customers", { key })).json.data;
    expect(listed).toEqual(customer);
    const disputes = await call("GET", "/disputes?email=SUM%40example.com", { key });
    expect(disputes.json.data.map(({ _id }) => _id)).toEqual([dispute]);
    expect((await call("GET", "/disputes?email=other%40example.com", { key })).json.data).toEqual([]);
    await create(key, "payment_links", { email, amount: "900", currency: "CHF" });
    const file = await call("GET", "/customers/export", { key });
    const [sum] = Papa.parse<Record<string, string>>(file.text, { header: true }).data;
    const lifetime = (7000 - amount_cents) / 100;
    expect(sum).toMatchObject({
      ...{ email, open_balance: "CHF 9.00", lifetime_value: `EUR ${lifetime.toFixed(2)}` },
      ...{ currency: "EUR", lifetime_amount: String(lifetime), open_amount: "0", overdue_amount: "0" },
    });
  });

  it("calls a failed period overdue, and not an open link", async () => {
    const { key } = await createMerchant("Overdue");
    const email = "late@example.com";
    await create(key, "payment_links", { email, amount: "700" });
    const id = await create(key, "subscriptions", { email });
    await expect.poll(() => db.paymentLink.count({ where: { subscription_id: id, status: "Active" } })).toBe(1);
    const sums = async () => (await get(email, key)).totals as unknown[];
    const period = await db.paymentLink.findFirstOrThrow({ where: { subscription_id: id } });
    const open = { open_cents: 700 + period.amount_cents, open_count: 2 };
    expect(await sums()).toMatchObject([{ ...open, overdue_cents: 0, overdue_count: 0 }]);
    await db.subscription.update({ where: { id }, data: { status: "past_due" } });
    expect(await sums()).toMatchObject([{ ...open, overdue_cents: period.amount_cents, overdue_count: 1 }]);
  });

  it("says where there are more links than a list sums up", async () => {
    const { key, businessId } = await createMerchant("Many");
    const rows = Array.from({ length: summedLinks.list + 1 }, (_, n) => ({
      id: `pl_${String(businessId).padStart(6, "0")}${String(n).padStart(30, "0")}`,
      ...{ business_id: businessId, livemode: false, email: "many@example.com", currency: "EUR" },
      ...{ amount_cents: 500, title: `Link ${n}`, created_at: new Date(Date.now() - n * 1_000) },
    }));
    Object.assign(rows.at(-1) ?? {}, { currency: "USD" }); // the oldest one
    await db.paymentLink.createMany({ data: rows });
    const [listed] = (await call("GET", "/customers", { key })).json.data;
    expect(listed).toMatchObject({ payment_link_count: 100, totals_are_lower_bound: true });
    const summed = { open_count: summedLinks.list, open_cents: 500 * summedLinks.list };
    expect(listed?.totals).toMatchObject([{ ...summed, currency: "EUR" }]);
    const one = await get("many@example.com", key);
    expect(one).toMatchObject({ payment_link_count: 100, totals_are_lower_bound: false });
    expect(one.totals).toMatchObject([
      { ...summed, currency: "EUR" },
      { currency: "USD", open_count: 1, open_cents: 500 },
    ]);
  });
});
