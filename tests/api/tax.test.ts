import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { pay, visit } from "@/tests/support/payer";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const body = { email: "ada@example.com", currency: "EUR", amount: "1904", title: "Order 1001", send_email: false };
const get = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;

describe("a payment link’s included tax", () => {
  it.each([
    ["19", 19, 3.04],
    [19, 19, 3.04],
    ["7.70", 7.7, 1.36],
    [8.25, 8.25, 1.45],
    ["0", 0, 0],
    [100, 100, 9.52],
  ])("%j is %d percent, and %d of 19.04", async (tax_percent, percent, tax) => {
    const { status, json } = await call("POST", "/payment-links", { key, body: { ...body, tax_percent } });
    expect([status, json.data]).toMatchObject([200, { tax_percent: percent, tax_amount: tax, amount: 19.04 }]);
    expect(await get(json.data._id)).toEqual(json.data);
    const [event] = (await call("GET", `/events?payment_link_id=${json.data._id}`, { key })).json.data;
    expect(event?.data).toMatchObject({ tax_percent: percent, tax_amount: tax });
  });

  it("is null unless it is given, and rounds to whole units where the currency has no smaller one", async () => {
    const none = await call("POST", "/payment-links", { key, body: { ...body, tax_percent: "" } });
    expect(none.json.data).toMatchObject({ tax_percent: null, tax_amount: null });
    const yen = { ...body, currency: "JPY", amount: "105000", tax_percent: 10 };
    expect((await call("POST", "/payment-links", { key, body: yen })).json.data.tax_amount).toBe(95);
  });

  it.each([
    ["19.001", "a number with at most two decimals."],
    [19.001, "a number with at most two decimals."],
    ["7,7", "a number with at most two decimals."],
    ["1e1", "a number with at most two decimals."],
    [" 19", "a number with at most two decimals."],
    [true, "a number with at most two decimals."],
    [[19], "a number with at most two decimals."],
    ["-0.01", "at least 0."],
    [-1, "at least 0."],
  ])("refuses %j", async (tax_percent, words) => {
    const { status, json } = await call("POST", "/payment-links", { key, body: { ...body, tax_percent } });
    expect([status, json.errors]).toEqual([422, { tax_percent: [`The tax_percent must be ${words}`] }]);
  });

  it("refuses more than 100 percent, on create and update", async () => {
    const id = await create(key, "payment_links");
    for (const [method, path] of [
      ["POST", "/payment-links"],
      ["PUT", `/payment-links/${id}`],
    ] as const) {
      const { status, json } = await call(method, path, { key, body: { ...body, tax_percent: "100.01" } });
      expect([status, json.errors]).toEqual([422, { tax_percent: ["The tax_percent must not be greater than 100."] }]);
    }
    expect((await get(id)).tax_percent).toBeNull();
  });

  it("follows the amount, is removed by an update without it, and stays once the link is paid", async () => {
    const id = await create(key, "payment_links", { ...body, tax_percent: 19 });
    const put = (over: object) => call("PUT", `/payment-links/${id}`, { key, body: { ...body, ...over } });
    expect((await put({ amount: "1190", tax_percent: 19 })).json.data.tax_amount).toBe(1.9);
    expect((await put({ tax_percent: "8.25" })).json.data).toMatchObject({ tax_percent: 8.25, tax_amount: 1.45 });
    expect((await put({})).json.data).toMatchObject({ tax_percent: null, tax_amount: null });
    await put({ tax_percent: 19 });
    await db.paymentLink.update({ where: { id }, data: { status: "Paid", paid_at: new Date() } });
    const late = await put({ tax_percent: 7 });
    expect([late.status, late.json.code]).toEqual([409, "link_already_paid"]);
    expect(await get(id)).toMatchObject({ tax_percent: 19, tax_amount: 3.04 });
    const { json } = await call("GET", "/payment-links?paid=true", { key });
    expect(json.data.find(({ _id }: { _id: string }) => _id === id)).toMatchObject({
      tax_percent: 19,
      tax_amount: 3.04,
    });
  });

  it("is in the exported file, and is imported from one", async () => {
    const row = { row: 2, ...body, reference: "taxed", tax_percent: "7.7" };
    const rows = [row, { ...row, row: 3, tax_percent: "7.725" }];
    const { json } = await call("POST", "/payment-links/import", { key, body: { file: "tax.csv", rows } });
    expect(json.data.rows).toMatchObject([
      { status: "created" },
      { errors: { tax_percent: ["The tax_percent must be a number with at most two decimals."] } },
    ]);
    const headers = { Authorization: `Bearer ${key}` };
    const file = await fetch(`${baseUrl()}/api/payment-links/export?reference=taxed`, { headers });
    const { data } = Papa.parse<Record<string, string>>(await file.text(), { header: true, skipEmptyLines: true });
    expect(data.map(({ amount, tax_percent, tax_amount }) => [amount, tax_percent, tax_amount])).toEqual([
      ["19.04", "7.7", "1.36"],
    ]);
  });
});

it("a payment that succeeded has its link's tax, also in the exported file", async () => {
  const { key } = await createMerchant();
  const id = await create(key, "payment_links", { ...body, tax_percent: 19 });
  const form = { amount_cents: "1904", tax_basis_points: "1900" };
  await pay(id, "4000000000009995", form);
  await pay(id, "4242424242424242", form);
  const taxes = (rows: { status: string; tax_percent: unknown; tax_amount: unknown }[]) =>
    rows.map(({ status, tax_percent, tax_amount }) => [status, tax_percent, tax_amount]);
  const { json } = await call("GET", "/payments", { key });
  expect(taxes(json.data as never)).toEqual([
    ["succeeded", 19, 3.04],
    ["failed", null, null],
  ]);
  const { text } = await call("GET", "/payments/export", { key });
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(taxes(data as never)).toEqual([
    ["succeeded", "19", "3.04"],
    ["failed", "", ""],
  ]);
});

describe("the pay page", () => {
  it("names the included tax in one line, and nothing without a tax", async () => {
    const id = await create(key, "payment_links", { ...body, tax_percent: 19 });
    const { text } = await visit(`/pay?id=${id}`);
    expect(text).toMatch(/€19\.04<\/p><p[^>]*>Includes 19% tax: €3\.04<\/p>/);
    const untaxed = await create(key, "payment_links", body);
    expect((await visit(`/pay?id=${untaxed}`)).text).not.toContain("Includes");
  });

  it("is refused with 409 if its tax has changed since the payer saw it", async () => {
    const id = await create(key, "payment_links", { ...body, tax_percent: 19 });
    await call("PUT", `/payment-links/${id}`, { key, body: { ...body, tax_percent: 7 } });
    const payWith = (over: Record<string, string>) => pay(id, "4242424242424242", { amount_cents: "1904", ...over });
    for (const tax_basis_points of ["", "1900"]) {
      const refused = await payWith({ tax_basis_points });
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("Includes 7% tax: €1.25")]);
      expect(refused.text).toContain("The included tax has changed. The amount is still €19.04.");
      expect(refused.text).not.toContain("The amount is now");
    }
    const dearer = await payWith({ amount_cents: "1900", tax_basis_points: "1900" });
    expect([dearer.status, dearer.text]).toEqual([409, expect.stringContaining("The amount is now €19.04.")]);
    expect((await get(id)).status).toBe("Active");
    expect((await payWith({ tax_basis_points: "700" })).location).toBe(`/thank-you?id=${id}`);
  });

  it.each([
    ["de", "Enthält 7,7\u00a0% Steuer: 1,36\u00a0€"],
    ["fr", "Dont taxe (7,7"],
    ["es", "Incluye un 7,7"],
  ])("names the tax in the language of the link: %s", async (language, words) => {
    const given = { ...body, language, tax_percent: "7.7" };
    const { json } = await call("POST", "/payment-links", { key, body: given });
    expect((await visit(`/pay?id=${json.data._id}`)).text).toContain(words);
  });
});
