import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { checkBooks } from "@/lib/ledger/books";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { insertSending } from "@/tests/support/open-attempt";
import { create, savedCard } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const transfer = { method: "transfer", paid_on: dayFromNow(-1), reference: "Statement 47", note: "Checked by Anna" };

const newLink = (over: Record<string, unknown> = {}) => create(key, "payment_links", over);
const mark = (id: string, body: object = transfer, headers: Record<string, string> = {}) =>
  call("POST", `/payment-links/${id}/mark-paid`, { key, body, headers });
const reverse = (id: string, body: object = { reason: "The cheque bounced" }, by = key) =>
  call("POST", `/payments/${id}/reverse`, { key: by, body });
const linkOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;
const paymentsOf = async (id: string): Promise<Row[]> =>
  (await call("GET", `/payments?payment_link_id=${id}&sort=created_at`, { key })).json.data;
const eventsOf = (id: string) =>
  db.event.findMany({ where: { payment_link_id: id }, orderBy: [{ created_at: "asc" }, { id: "asc" }] });

/** Marks a new link. @returns the link's id and the payment's */
async function marked(over: Record<string, unknown> = {}): Promise<[linkId: string, paymentId: string]> {
  const id = await newLink(over);
  const reply = await mark(id);
  expect(reply.status, reply.text).toBe(200);
  return [id, String((await paymentsOf(id))[0]?._id)];
}

const collected = async (): Promise<{ cents: number; count: number }> => {
  const { period } = (await call("GET", "/reports/overview", { key })).json.data as never as {
    period: { currencies: { currency: string; collected: { amount_cents: number; count: number } }[] };
  };
  const eur = period.currencies.find(({ currency }) => currency === "EUR")?.collected;
  return { cents: eur?.amount_cents ?? 0, count: eur?.count ?? 0 };
};

/** The books' mistakes that name one of the ids. */
async function mistakes(...ids: string[]): Promise<string[]> {
  const { imbalances } = await checkBooks();
  return imbalances.filter((line) => ids.some((id) => line.includes(id)));
}

describe("marking as paid", () => {
  it("is refused if the link has another amount than the caller has shown", async () => {
    const id = await newLink();
    for (const shown of [{ amount: "1049" }, { currency: "USD" }]) {
      const { status, json } = await mark(id, { ...transfer, ...shown });
      expect([status, json.code]).toEqual([412, "precondition_failed"]);
    }
    expect(await paymentsOf(id)).toEqual([]);
    expect((await mark(id, { ...transfer, amount: "1050", currency: "EUR" })).json.data).toMatchObject({
      status: "Paid",
    });
  });

  it("settles the link with a payment that says how the money came", async () => {
    const id = await newLink();
    const reply = await mark(id);
    expect([reply.status, reply.json.data]).toMatchObject([200, { _id: id, status: "Paid", paid: true }]);
    const [payment] = await paymentsOf(id);
    expect(payment).toMatchObject({
      status: "succeeded",
      gateway: "manual",
      gateway_reference: null,
      amount_cents: 1050,
      card: null,
      fee: { amount_cents: 0, currency: "EUR" },
      manual: { ...transfer, marked_by: "test", reversed_at: null, reversal_reason: null, reversed_by: null },
    });
    const events = await eventsOf(id);
    expect(events.map(({ type, actor_type }) => [type, actor_type])).toEqual([
      ["payment_link.created", "api_key"],
      ["payment.succeeded", "api_key"],
      ["payment_link.paid", "api_key"],
    ]);
    expect(await db.posting.findMany({ where: { payment_id: String(payment?._id) } })).toMatchObject([
      { kind: "payment", debit: "manual", credit: "sales", amount_cents: 1050n },
    ]);
    const entry = (await call("GET", `/audit-log?resource_id=${id}`, { key })).json.data[0];
    expect(entry).toMatchObject({ action: "payment_link.marked_paid", after: { ...transfer, amount_cents: 1050 } });
    expect(await mistakes(id, String(payment?._id))).toEqual([]);
  });

  it("sends a receipt that says how it was paid, as its page does", async () => {
    const [id] = await marked();
    const { receipt_url } = (await paymentsOf(id))[0] as never as { receipt_url: string };
    const page = await (await fetch(receipt_url.replace(/^https?:\/\/[^/]+/, baseUrl()))).text();
    expect(page).toContain("Bank transfer");
    const [mail] = (await call("GET", `/emails?payment_link_id=${id}&template=receipt`, { key })).json.data;
    const { text } = (await call("GET", `/emails/${mail?._id}`, { key })).json.data as never as { text: string };
    expect(text).toContain("Bank transfer");
    for (const told of [page, text]) expect(told).not.toContain("Checked by Anna");
  });

  it("accepts inactive and expired links, and refuses paid, deleted and open ones", async () => {
    const inactive = await newLink();
    await call("POST", `/payment-links/${inactive}/deactivate`, { key, body: {} });
    expect((await mark(inactive)).json.data.status).toBe("Paid");
    const expired = await newLink();
    await db.paymentLink.update({ where: { id: expired }, data: { expires_at: new Date(Date.now() - 60_000) } });
    expect((await mark(expired)).json.data.status).toBe("Paid");
    expect((await mark(expired)).json).toMatchObject({ code: "link_already_paid" });
    const card = await newLink();
    await payAt(`/pay?id=${card}`);
    expect((await mark(card)).json).toMatchObject({ code: "link_already_paid" });
    const deleted = await newLink();
    await call("DELETE", `/payment-links/${deleted}`, { key });
    expect((await mark(deleted)).status).toBe(404);
    const open = await newLink();
    await insertSending(merchant.businessId, open, newId("pay"));
    expect((await mark(open)).json).toMatchObject({ code: "link_processing" });
    expect(await paymentsOf(open)).toHaveLength(1);
  });

  it.each([
    [{ paid_on: dayFromNow(2) }, "The paid_on must not be in the future."],
    [{ paid_on: dayFromNow(-400) }, "The paid_on must not be more than a year before the payment link was created."],
    [{ paid_on: "2026-02-30" }, "The paid_on is not a valid date."],
  ])("refuses %j", async (over, message) => {
    const reply = await mark(await newLink(), { ...transfer, ...over });
    expect([reply.status, reply.json.errors]).toEqual([422, { paid_on: [message] }]);
  });

  it("refuses a method that does not exist", async () => {
    const id = await newLink();
    expect((await mark(id, { ...transfer, method: "card" })).json.errors).toEqual({
      method: ["The selected method is invalid."],
    });
  });

  it("is replayed with its Idempotency-Key", async () => {
    const id = await newLink();
    const headers = { "Idempotency-Key": `mark-${id}` };
    const replies = await Promise.all([mark(id, transfer, headers), mark(id, transfer, headers)]);
    const again = await mark(id, transfer, headers);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(replies.filter(({ status }) => status === 200).map(({ text }) => text)).toContain(again.text);
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  it("needs its own scope: `write` is not enough", async () => {
    const id = await newLink();
    const by = await createKey(merchant, ["write"]);
    const reply = await call("POST", `/payment-links/${id}/mark-paid`, { key: by, body: transfer });
    expect([reply.status, reply.json.code]).toEqual([403, "forbidden"]);
  });

  it("and a card payment at the same time: exactly one succeeds", async () => {
    const token = await savedCard(key);
    const ids: string[] = [];
    for (let round = 0; round < 15; round++) {
      const id = await newLink();
      const charge = () => call("POST", `/payment-links/${id}/charge`, { key, body: { token } });
      const [byHand, ...byCard] = await Promise.all([mark(id), charge(), payAt(`/pay?id=${id}`)]);
      await expect.poll(async () => (await linkOf(id)).status).toBe("Paid");
      const payments = await paymentsOf(id);
      ids.push(id, ...payments.map(({ _id }) => String(_id)));
      const paid = payments.filter(({ status }) => status === "succeeded");
      expect(paid, JSON.stringify(payments)).toHaveLength(1);
      expect(byHand.status === 200).toBe(paid[0]?.gateway === "manual");
      expect(byCard[0].status).not.toBe(500);
      expect(
        await db.sandboxCharge.count({
          where: { gateway_key: { in: payments.map(({ _id }) => String(_id)) }, status: "succeeded" },
        }),
      ).toBe(byHand.status === 200 ? 0 : 1);
    }
    expect(await mistakes(...ids)).toEqual([]);
  });
});

describe("reversing a mark", () => {
  it("makes the link payable again, and keeps the history", async () => {
    const before = await collected();
    const [id, paymentId] = await marked();
    expect(await collected()).toEqual({ cents: before.cents + 1050, count: before.count + 1 });
    const reply = await reverse(paymentId);
    expect([reply.status, reply.json.data]).toMatchObject([
      200,
      { status: "reversed", manual: { reversal_reason: "The cheque bounced", reversed_by: "test" } },
    ]);
    expect(await collected()).toEqual(before);
    expect(await linkOf(id)).toMatchObject({ status: "Active", paid: false, paid_at: null });
    expect(await db.posting.findMany({ where: { payment_id: paymentId }, orderBy: { id: "asc" } })).toMatchObject([
      { kind: "payment", debit: "manual", credit: "sales" },
      { kind: "payment_reversed", debit: "sales", credit: "manual" },
    ]);
    expect((await eventsOf(id)).at(-1)?.type).toBe("payment.reversed");
    const [entry] = (await call("GET", `/audit-log?resource_id=${paymentId}`, { key })).json.data;
    expect(entry).toMatchObject({ action: "payment.reversed", after: { reason: "The cheque bounced" } });
    const { receipt_url } = reply.json.data as never as { receipt_url: string };
    const page = await (await fetch(receipt_url.replace(/^https?:\/\/[^/]+/, baseUrl()))).text();
    expect(page).toContain("This payment was reversed");
    expect(page).not.toContain("The cheque bounced");
    expect(await mistakes(id, paymentId)).toEqual([]);

    expect((await payAt(`/pay?id=${id}`)).location).toBe(`/thank-you?id=${id}`);
    expect((await paymentsOf(id)).map(({ status, gateway }) => [status, gateway])).toEqual([
      ["reversed", "manual"],
      ["succeeded", "sandbox"],
    ]);
    expect(await mistakes(id, paymentId)).toEqual([]);
  });

  it("closes a link again that was closed before the mark", async () => {
    const id = await newLink();
    const act = (action: string) => call("POST", `/payment-links/${id}/${action}`, { key, body: {} });
    const markAndReverse = async () => {
      expect((await mark(id)).status).toBe(200);
      expect((await reverse(String((await paymentsOf(id)).at(-1)?._id))).status).toBe(200);
      return (await linkOf(id)).status;
    };
    await act("deactivate");
    expect(await markAndReverse()).toBe("Inactive");
    expect(await markAndReverse()).toBe("Inactive");
    await act("activate");
    expect(await markAndReverse()).toBe("Active");
  });

  it("is final: there is nothing to ask, to withdraw or to settle", async () => {
    const [, paymentId] = await marked();
    await reverse(paymentId);
    const owner = await createKey(merchant, ["write", "gateway_accounts:write"]);
    const act = (action: string, body?: object) =>
      call("POST", `/payments/${paymentId}/${action}`, { key: owner, body });
    expect((await act("reconcile")).json.data).toMatchObject({ status: "reversed" });
    const settle = await act("settle", { status: "failed", reason: "x" });
    expect([settle.status, settle.json.code]).toEqual([409, "payment_settled"]);
    const cancel = await act("cancel");
    expect([cancel.status, cancel.json.code]).toEqual([409, "payment_reversed"]);
  });

  it("can be marked and reversed again", async () => {
    const [id, first] = await marked();
    await reverse(first);
    expect((await mark(id)).status).toBe(200);
    const second = String((await paymentsOf(id)).at(-1)?._id);
    expect((await reverse(second)).status).toBe(200);
    expect(await linkOf(id)).toMatchObject({ status: "Active" });
    expect(await mistakes(id, first, second)).toEqual([]);
  });

  it("happens once, also at the same time", async () => {
    const [id, paymentId] = await marked();
    const replies = await Promise.all([reverse(paymentId), reverse(paymentId), reverse(paymentId)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.json.code).toBe("payment_reversed");
    expect(await mistakes(id, paymentId)).toEqual([]);
  });

  it("is refused for a card payment, another business's and one with refunds", async () => {
    const card = await newLink();
    await payAt(`/pay?id=${card}`);
    expect((await reverse(String((await paymentsOf(card))[0]?._id))).json.code).toBe("payment_not_manual");
    const [, foreign] = await marked();
    const stranger = await createMerchant("Another shop");
    expect((await reverse(foreign, { reason: "Mine" }, stranger.key)).status).toBe(404);
    const [refunded, payment] = await marked();
    await call("POST", `/payment-links/${refunded}/refunds`, { key, body: { amount: 100 } });
    expect((await reverse(payment)).json.code).toBe("payment_refunded");
  });

  it("leaves a link that has expired meanwhile expired", async () => {
    const [id, paymentId] = await marked();
    await db.paymentLink.update({ where: { id }, data: { expires_at: new Date(Date.now() - 60_000) } });
    await reverse(paymentId);
    expect(await linkOf(id)).toMatchObject({ status: "Expired", paid: false });
  });
});

describe("a refund of a manual payment", () => {
  it("records what staff returned by hand, at once and never more than was paid", async () => {
    const [id, paymentId] = await marked();
    const refund = (body: object) => call("POST", `/payment-links/${id}/refunds`, { key, body });
    const part = await refund({ amount: 250, reason: "One book was damaged" });
    expect(part.json.data).toMatchObject({ status: "succeeded", amount_cents: 250, gateway_reference: null });
    expect((await refund({ amount: 801 })).json.errors).toEqual({
      amount: ["The amount must not be greater than 800."],
    });
    const all = await Promise.all([refund({}), refund({})]);
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await linkOf(id)).toMatchObject({ status: "Paid", refunded_amount: 10.5 });
    const postings = await db.posting.findMany({ where: { payment_id: paymentId, kind: "refund" } });
    expect(postings).toMatchObject([{ debit: "refunds", credit: "manual" }, { credit: "manual" }]);
    expect(await mistakes(id, paymentId)).toEqual([]);
  });
});

describe("a subscription's period", () => {
  it("is settled by a mark, owed again after a reversal, and not charged at once", async () => {
    const biller = await createBiller();
    const email = "ada@example.com";
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    const [period] = await biller.periods(id);
    const today = String((await biller.get("/test-clock")).now).slice(0, 10);
    const body = { method: "transfer", paid_on: today };
    const paid = await call("POST", `/payment-links/${period?._id}/mark-paid`, { key: biller.key, body });
    expect(paid.json.data.status).toBe("Paid");
    expect((await biller.subscription(id)).status).toBe("active");

    await biller.saveCard(email);
    const [payment] = (await biller.get(`/payments?payment_link_id=${period?._id}`)) as never as Row[];
    await call("POST", `/payments/${payment?._id}/reverse`, { key: biller.key, body: { reason: "Bounced" } });
    await biller.advance(await biller.later(1));
    expect((await biller.periods(id))[0]).toMatchObject({ status: "Active" });
    expect((await biller.subscription(id)).status).toBe("active");
    await biller.advance(await biller.later(1.5)); // the first dunning day
    expect((await biller.periods(id))[0]).toMatchObject({ status: "Paid" });
  });

  it("announces no charge after a reversal when its payer has no card", async () => {
    const biller = await createBiller();
    const id = await biller.subscribe(await biller.createPackage(), "cardless@example.com");
    await biller.billed(id, 1);
    const [period] = await biller.periods(id);
    const path = `/payment-links/${period?._id}`;
    const paid_on = String((await biller.get("/test-clock")).now).slice(0, 10);
    await call("POST", `${path}/mark-paid`, { key: biller.key, body: { method: "transfer", paid_on } });
    const [payment] = (await biller.get(`/payments?payment_link_id=${period?._id}`)) as never as Row[];
    await call("POST", `/payments/${payment?._id}/reverse`, { key: biller.key, body: { reason: "Bounced" } });
    expect(await biller.get(path)).toMatchObject({ status: "Active", next_attempt_at: null });

    expect((await call("POST", `${path}/send`, { key: biller.key, body: {} })).status).toBe(200);
    const [mail] = (await biller.get(`/emails?payment_link_id=${period?._id}&template=payment_link`)) as never as Row[];
    const { text } = (await biller.get(`/emails/${mail?._id}`)) as never as { text: string };
    expect(text).toContain("Please pay for this period");
    expect(text).not.toContain("is charged on");
    await biller.advance(await biller.later(3.5)); // the payer is reminded on the first dunning day
    expect((await biller.subscription(id)).status).toBe("past_due");
  });
});
