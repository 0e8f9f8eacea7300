import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { transferReference } from "@/lib/core/transfer-reference";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";

const bank = { bank_holder: "Blue Bottle Books GmbH", bank_iban: "DE89370400440532013000", bank_bic: "COBADEFFXXX" };

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
  expect((await putSettings(bank)).status).toBe(200);
});

const putSettings = (body: object, by = merchant.liveKey) => call("PUT", "/settings", { key: by, body });
const newLink = (over: Record<string, unknown> = {}, by = key) => create(by, "payment_links", over);
const page = async (path: string) => {
  const response = await fetch(`${baseUrl()}${path}`);
  return { status: response.status, text: await response.text() };
};
const awaitTransfer = (id: string, method = "POST", by = key) =>
  call(method, `/payment-links/${id}/await-transfer`, { key: by, body: method === "POST" ? {} : undefined });

describe("the account for bank transfers", () => {
  it("is stored compact, and cleared as a whole", async () => {
    const own = await createMerchant();
    const put = async (body: object) => (await putSettings(body, own.liveKey)).json;
    expect((await put({ bank_iban: "de89 3704 0044 0532 0130 00" })).errors).toEqual({
      bank_holder: ["The bank_holder field is required."],
    });
    expect((await put({ bank_holder: "Own" })).errors).toEqual({ bank_iban: ["The bank_iban field is required."] });
    expect((await put({ bank_holder: "Own", bank_iban: "de89 3704 0044 0532 0130 00" })).data).toMatchObject({
      ...{ bank_holder: "Own", bank_iban: "DE89370400440532013000", bank_bic: null },
    });
    expect((await put({ bank_bic: "cobadeff" })).data).toMatchObject({ bank_bic: "COBADEFF", bank_holder: "Own" });
    expect((await put({ bank_holder: "Own", bank_iban: null })).errors).toEqual({
      bank_iban: ["The bank_iban field is required."],
    });
    expect((await put({ bank_iban: null })).data).toMatchObject({ bank_holder: null, bank_iban: null, bank_bic: null });
    const entries = (await call("GET", "/audit-log?action=settings.changed", { key: own.key })).json.data;
    expect(entries.flatMap(({ after }) => Object.keys(after as object))).toContain("bank_iban");
  });

  it.each([
    [{ bank_iban: "DE89370400440532013001" }, { bank_iban: ["The bank_iban must be a valid IBAN."] }],
    [{ bank_bic: "COBA" }, { bank_bic: ["The bank_bic must be a valid BIC."] }],
    [{ bank_holder: "Two\nlines" }, { bank_holder: ["The bank_holder must be on one line."] }],
    [{ bank_holder: "x".repeat(71) }, { bank_holder: ["The bank_holder must not be greater than 70 characters."] }],
  ])("refuses %j", async (over, errors) => {
    const reply = await putSettings({ ...bank, ...over });
    expect([reply.status, reply.json.errors]).toEqual([422, errors]);
  });

  it("needs the scope of the gateway account, because it decides where the money goes", async () => {
    const by = await createKey(merchant, ["write"], { livemode: true });
    expect((await putSettings({ bank_iban: bank.bank_iban }, by)).status).toBe(403);
    expect((await putSettings({ renewal_notice_days: 3 }, by)).status).toBe(200);
  });

  it("is not changed by a test key, because it receives live payments", async () => {
    const { status, json } = await putSettings({ bank_iban: null }, key);
    expect([status, json.message]).toEqual([403, "Only a live key may change the account for bank transfers."]);
    const { data } = (await call("GET", "/settings", { key: merchant.liveKey })).json;
    expect(data.bank_iban).toBe(bank.bank_iban);
    expect((await putSettings({ renewal_notice_days: 3 }, key)).status).toBe(200);
  });
});

describe("the pay page", () => {
  it("leads to the transfer's details with amount, account, reference and a QR code", async () => {
    const id = await newLink({ title: "Order 1001" });
    const form = await page(`/pay?id=${id}`);
    expect(form.text).toContain(`href="/pay?id=${id}&amp;transfer=1"`);
    expect(form.text).not.toContain("DE89");
    const { status, text } = await page(`/pay?id=${id}&transfer=1`);
    expect(status).toBe(200);
    for (const shown of [
      "€10.50",
      bank.bank_holder,
      "DE89 3704 0044 0532 0130 00",
      bank.bank_bic,
      transferReference(id),
    ])
      expect(text).toContain(shown);
    expect(text).toMatch(/<svg[^>]* role="img" aria-label="QR code for a bank transfer of €10.50/);
    expect(text).toContain("Test mode: don’t transfer any money.");
    expect(text).not.toMatch(/<script|ada@example/);
  });

  it("draws the code for euros only", async () => {
    const { text } = await page(`/pay?id=${await newLink({ currency: "USD" })}&transfer=1`);
    expect(text).toContain("DE89 3704 0044 0532 0130 00");
    expect(text).not.toContain('role="img"');
  });

  it("shows a business's own account, and nothing without one", async () => {
    const without = await createMerchant();
    const id = await newLink({}, without.key);
    expect((await page(`/pay?id=${id}`)).text).not.toContain("transfer=1");
    expect((await page(`/pay?id=${id}&transfer=1`)).text).toContain("Pay by card");
  });

  it("shows the transfer's details in live mode without a gateway, where nothing else can be paid", async () => {
    const id = await newLink({}, merchant.liveKey);
    const { status, text } = await page(`/pay?id=${id}`);
    expect(status).toBe(200);
    expect(text).toContain(transferReference(id));
    expect(text).not.toMatch(/Test mode|Pay by card/);
  });

  it("shows the state of a link that is paid or closed instead", async () => {
    const paid = await newLink();
    await payAt(`/pay?id=${paid}`);
    expect((await page(`/pay?id=${paid}&transfer=1`)).text).toContain("Already paid");
    const inactive = await newLink();
    await call("POST", `/payment-links/${inactive}/deactivate`, { key, body: {} });
    expect((await page(`/pay?id=${inactive}&transfer=1`)).status).toBe(410);
  });
});

describe("waiting for a transfer", () => {
  it("is a mark that staff set and remove; the link stays payable", async () => {
    const id = await newLink();
    const waiting = (await awaitTransfer(id)).json.data;
    expect(waiting).toMatchObject({ status: "Active", awaiting_transfer_since: expect.stringMatching(/^\d{4}-/) });
    expect((await awaitTransfer(id)).json.data).toEqual(waiting);
    expect((await page(`/pay?id=${id}`)).text).toContain("is waiting for your transfer");
    const listed = async (filter: string): Promise<Row[]> =>
      (await call("GET", `/payment-links?awaiting_transfer=${filter}&per_page=100`, { key })).json.data;
    expect((await listed("true")).map(({ _id }) => _id)).toEqual([id]);
    expect((await listed("false")).map(({ _id }) => _id)).not.toContain(id);
    expect((await awaitTransfer(id, "DELETE")).json.data.awaiting_transfer_since).toBeNull();
    expect(await listed("true")).toEqual([]);
    await awaitTransfer(id);
    expect((await payAt(`/pay?id=${id}`)).location).toBe(`/thank-you?id=${id}`);
    expect((await call("GET", `/payment-links/${id}`, { key })).json.data).toMatchObject({
      ...{ status: "Paid", awaiting_transfer_since: null },
    });
    expect((await awaitTransfer(id)).json.code).toBe("link_already_paid");
  });

  it("ends with the mark as paid, and when the link is deactivated", async () => {
    const [marked, inactive] = [await newLink(), await newLink()];
    for (const id of [marked, inactive]) await awaitTransfer(id);
    const body = { method: "transfer", paid_on: new Date().toISOString().slice(0, 10) };
    const paid = await call("POST", `/payment-links/${marked}/mark-paid`, { key, body });
    expect(paid.json.data).toMatchObject({ status: "Paid", awaiting_transfer_since: null });
    const closed = await call("POST", `/payment-links/${inactive}/deactivate`, { key, body: {} });
    expect(closed.json.data.awaiting_transfer_since).toBeNull();
    expect((await awaitTransfer(inactive)).json.code).toBe("link_not_active");
  });

  it("can be ended when the link has expired meanwhile", async () => {
    const id = await newLink();
    await awaitTransfer(id);
    await db.paymentLink.update({ where: { id }, data: { expires_at: new Date(Date.now() - 60_000) } });
    const ended = await awaitTransfer(id, "DELETE");
    expect([ended.status, ended.json.data]).toMatchObject([200, { status: "Expired", awaiting_transfer_since: null }]);
    expect((await awaitTransfer(id)).json.code).toBe("link_expired");
  });

  it("is found by the transfer's reference, however the bank writes it", async () => {
    const id = await newLink();
    await newLink();
    const reference = transferReference(id);
    for (const q of [reference, reference.replace(/-/g, ""), reference.toLowerCase().replace(/-/g, " ")]) {
      const { data } = (await call("GET", `/payment-links?q=${encodeURIComponent(q)}`, { key })).json;
      expect(data.map(({ _id }) => _id)).toEqual([id]);
    }
    const stranger = await createMerchant();
    expect((await call("GET", `/payment-links?q=${reference}`, { key: stranger.key })).json.data).toEqual([]);
  });

  it("does not hide a link whose own reference or title looks like one", async () => {
    const own = { reference: "PL-20261130-000123", title: "Plant pot delivery" };
    const id = await newLink(own);
    for (const q of Object.values(own)) {
      const { data } = (await call("GET", `/payment-links?q=${encodeURIComponent(q)}`, { key })).json;
      expect(data.map(({ _id }) => _id)).toEqual([id]);
    }
  });

  it("keeps a subscription's card from being charged", async () => {
    const biller = await createBiller();
    const email = "ada@example.com";
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    const [period] = await biller.periods(id);
    expect((await awaitTransfer(String(period?._id), "POST", biller.key)).status).toBe(200);
    const { token } = await biller.get(`/tokenizations/${await create(biller.key, "tokenizations", { email })}`);
    expect((await page(`/activate/${token}`)).text).not.toContain("will be charged to this card");
    await biller.saveCard(email); // would pay an owed period at once
    await biller.advance(await biller.later(25));
    expect((await biller.periods(id))[0]).toMatchObject({ status: "Active", attempt_count: 0 });
    expect((await awaitTransfer(String(period?._id), "DELETE", biller.key)).status).toBe(200);
    await biller.advance(await biller.later(1));
    expect((await biller.periods(id))[0]?.status).toBe("Active");
    await biller.advance(await biller.later(2));
    expect((await biller.periods(id))[0]?.status).toBe("Paid");
  });
});
