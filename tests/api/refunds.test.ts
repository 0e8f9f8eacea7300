import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId, newOperation } from "@/lib/core/id";
import { noteOf, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { beginRefund } from "@/lib/ledger/refund";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { baseUrl, call } from "@/tests/support/http";
import { insertSending, payAtSandbox } from "@/tests/support/open-attempt";
import { create } from "@/tests/support/samples";
import { hastenDecisions } from "@/tests/support/sandbox-decisions";

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

async function paidLink(number?: string, over: Record<string, unknown> = {}): Promise<string> {
  const id = await create(key, "payment_links", over);
  expect((await payAt(`/pay?id=${id}`, number)).location).toBe(`/thank-you?id=${id}`);
  return id;
}

const refund = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  call("POST", `/payment-links/${id}/refunds`, { key, body, headers });
const linkOf = async (id: string) => (await call("GET", `/payment-links/${id}`, { key })).json.data;
const paymentOf = async (id: string) => (await call("GET", `/payments?payment_link_id=${id}`, { key })).json.data[0];
const refundMails = async (id: string) =>
  (await call("GET", `/emails?payment_link_id=${id}&template=refund`, { key })).json.data;
const refundsOf = async (id: string) =>
  (await call("GET", `/refunds?payment_link_id=${id}&sort=created_at`, { key })).json.data;

describe("refunds", () => {
  it("refund a part, then the rest, and never more", async () => {
    const id = await paidLink();
    const part = await refund(id, { amount: "250", reason: "One book was damaged" });
    expect([part.status, part.json.data]).toMatchObject([
      200,
      { amount: 2.5, currency: "EUR", status: "succeeded", reason: "One book was damaged", payment_link_id: id },
    ]);
    expect(await linkOf(id)).toMatchObject({ status: "Paid", paid: true, refunded_amount: 2.5 });
    const tooMuch = await refund(id, { amount: 801 });
    expect([tooMuch.status, tooMuch.json.errors]).toEqual([
      422,
      { amount: ["The amount must not be greater than 800."] },
    ]);
    const rest = await refund(id);
    expect(rest.json.data).toMatchObject({ amount: 8, reason: null, status: "succeeded" });
    expect(await paymentOf(id)).toMatchObject({ status: "succeeded", refunded_amount: 10.5, refund_pending_amount: 0 });
    const none = await refund(id);
    expect([none.status, none.json.code]).toEqual([409, "nothing_to_refund"]);
    expect((await refundsOf(id)).map(({ amount }) => amount)).toEqual([2.5, 8]);
    const one = await call("GET", `/refunds/${part.json.data._id}`, { key });
    expect(one.json.data).toEqual(part.json.data);
  });

  it("of an unpaid link are refused", async () => {
    const reply = await refund(await create(key, "payment_links"));
    expect([reply.status, reply.json.code]).toEqual([409, "link_not_paid"]);
  });

  it.each([
    [{ amount: "0" }, "The amount must be at least 1."],
    [{ amount: "-5" }, "The amount must be an integer."],
    [{ amount: "1.5" }, "The amount must be an integer."],
    [{ amount: 1.5 }, "The amount must be an integer."],
    [{ amount: true }, "The amount must be an integer."],
    [{ amount: "1e2" }, "The amount must be an integer."],
    [{ amount: "" }, "The amount must be an integer."],
    [{ amount: " \u200b" }, "The amount must be an integer."],
    [{ amount: 3_000_001 }, "The amount must not be greater than 3000000."],
  ])("refuse %j", async (body, text) => {
    const reply = await refund(`pl_${"0".repeat(36)}`, body);
    expect([reply.status, reply.json.errors]).toEqual([422, { amount: [text] }]);
  });

  it("accept only whole units for a currency without a minor unit", async () => {
    const id = await paidLink(undefined, { currency: "JPY", amount: "100000" });
    expect((await refund(id, { amount: "150" })).status).toBe(422);
    expect((await refund(id, { amount: "20000" })).json.data).toMatchObject({ amount: 200, currency: "JPY" });
  });

  it("mail the payer once, with what remains paid", async () => {
    const id = await paidLink();
    await refund(id, { amount: "250", reason: "A note for our own records" });
    const [mail, ...others] = await refundMails(id);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      to: "ada@example.com",
      subject: "[Test] Refund: €2.50 for Order 1001",
      status: "outbox",
    });
    const { text } = (await call("GET", `/emails/${mail?._id}`, { key })).json.data;
    for (const words of ["€2.50", "5 to 10 days", "Paid: €10.50", "Net paid: €8.00", "/receipt/"])
      expect(text).toContain(words);
    expect(text).not.toContain("our own records");
    // A pending refund is no news yet.
    const pending = await paidLink("4000000000007726");
    await refund(pending, { amount: "1000" });
    expect(await refundMails(pending)).toEqual([]);
    await hastenDecisions(merchant.businessId);
    await expect.poll(async () => (await refundMails(pending)).length).toBe(1);
  });

  it("mail nothing if receipts are off", async () => {
    const quiet = await createMerchant();
    await call("PUT", "/settings", { key: quiet.key, body: { send_receipts: false } });
    const id = await create(quiet.key, "payment_links");
    await payAt(`/pay?id=${id}`);
    const reply = await call("POST", `/payment-links/${id}/refunds`, { key: quiet.key, body: {} });
    expect(reply.json.data.status).toBe("succeeded");
    expect((await call("GET", "/emails?template=refund", { key: quiet.key })).json.data).toEqual([]);
  });

  it("never refund more than was paid, even for simultaneous requests", async () => {
    const id = await paidLink();
    const replies = await Promise.all(Array.from({ length: 30 }, () => refund(id, { amount: "100" })));
    const done = replies.filter(({ status }) => status === 200);
    expect(done).toHaveLength(10);
    for (const { status } of replies) expect([200, 409, 422]).toContain(status);
    expect(await linkOf(id)).toMatchObject({ refunded_amount: 10 });
    const charge = await db.sandboxCharge.findFirstOrThrow({ where: { return_path: { contains: id } } });
    expect(charge.refunded_cents).toBe(1000);
  });

  it("are made once for an Idempotency-Key, even when the gateway's reply is lost", async () => {
    const account = String(merchant.businessId);
    const id = await paidLink();
    const headers = { "Idempotency-Key": `refund ${id}` };
    await setFault(account, "lost", 1);
    const first = await refund(id, { amount: "300" }, headers);
    await clearFaults(account);
    expect(first.json.data).toMatchObject({ status: "pending", amount: 3 });
    expect((await refund(id, { amount: "300" }, headers)).text).toBe(first.text);
    await expect.poll(async () => (await refundsOf(id))[0]?.status).toBe("succeeded");
    expect(await refundsOf(id)).toHaveLength(1);
    expect(await refundMails(id)).toHaveLength(1);
    expect(await linkOf(id)).toMatchObject({ refunded_amount: 3 });
  });

  it("keep their Idempotency-Key while an earlier request with it may still run", async () => {
    const id = await paidLink();
    const headers = { "Idempotency-Key": `hangs ${id}` };
    expect((await refund(id, { amount: 600 }, headers)).status).toBe(200);
    // An earlier request with the key hangs before its refund, and its lease has ended.
    const operation = newOperation();
    const where = { business_id: merchant.businessId, key: headers["Idempotency-Key"] };
    const ended = { status: null, body: null, operation, locked_until: new Date(Date.now() - 1_000) };
    await db.idempotencyKey.updateMany({ where, data: ended });
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await refund(id, { amount: 600 }, headers)).json.errors).toEqual({
        amount: ["The amount must not be greater than 450."],
      });
    expect(await db.idempotencyKey.findFirst({ where })).toMatchObject({ operation, status: null });
  });

  it("can be pending, with their amount reserved", async () => {
    const id = await paidLink("4000000000007726");
    const reply = await refund(id, { amount: "1000" });
    expect(reply.json.data).toMatchObject({ status: "pending", settled_at: null });
    expect(await linkOf(id)).toMatchObject({ refunded_amount: 0 });
    expect(await paymentOf(id)).toMatchObject({ refunded_amount: 0, refund_pending_amount: 10 });
    expect((await refund(id, { amount: "100" })).json.errors).toEqual({
      amount: ["The amount must not be greater than 50."],
    });
    await hastenDecisions(merchant.businessId);
    await expect.poll(async () => (await linkOf(id)).refunded_amount).toBe(10);
  });

  it("can fail, even after succeeding; the amount can then be refunded again", async () => {
    const id = await paidLink("4000000000005126");
    const { status, settled_at, returned_at } = (await refund(id)).json.data;
    expect([status, returned_at]).toEqual(["succeeded", null]);
    expect(await linkOf(id)).toMatchObject({ refunded_amount: 10.5 });
    await hastenDecisions(merchant.businessId);
    await expect.poll(async () => (await refundsOf(id))[0]?.status).toBe("failed");
    const [returned] = await refundsOf(id);
    expect(await refundMails(id)).toHaveLength(1); // of the success; staff hear of the return
    expect(returned).toMatchObject({ failure_reason: "card_gone", settled_at });
    expect(Date.parse(String(returned?.returned_at))).toBeGreaterThan(Date.parse(String(settled_at)));
    expect(await linkOf(id)).toMatchObject({ status: "Paid", refunded_amount: 0 });
    expect(await paymentOf(id)).toMatchObject({ refunded_amount: 0, refund_pending_amount: 0 });
  });

  it("do not cross businesses", async () => {
    const stranger = await createMerchant("Another shop");
    const id = await paidLink();
    const own = (await refund(id, { amount: "100" })).json.data._id;
    const theirs = await call("POST", `/payment-links/${id}/refunds`, { key: stranger.key, body: {} });
    expect(theirs.status).toBe(404);
    expect((await call("GET", `/refunds/${own}`, { key: stranger.key })).status).toBe(404);
    expect((await call("GET", "/refunds", { key: stranger.key })).json.data).toEqual([]);
  });
});

describe("a refund made in the gateway's dashboard", () => {
  /** Posts a callback of the sandbox. Returns the response's status. */
  const postCallback = async (account: string, body: string) => {
    const address = `${baseUrl()}/api/gateways/sandbox/webhook?account=${account}`;
    return (await fetch(address, { method: "POST", headers: signCallback(account, body), body })).status;
  };
  const atGateway = async (linkId: string, amountCents: number) => {
    const { gateway_ref } = await db.payment.findFirstOrThrow({
      where: { payment_link_id: linkId, status: "succeeded" },
    });
    await sandbox(String(merchant.businessId)).refund({
      gatewayKey: `elsewhere-${linkId}-${amountCents}`,
      startedAt: new Date(),
      chargeRef: gateway_ref ?? "",
      amountCents,
      currency: "EUR",
    });
  };

  it("is booked, even when one of our pending refunds never arrived", async () => {
    const id = await paidLink();
    const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: id } });
    const ours = newId("ref");
    expect(await beginRefund({ id: ours, paymentId: payment.id, amountCents: 600, reason: null })).toBe(true);
    await atGateway(id, 600);
    await db.$executeRaw`UPDATE refund SET started_at = started_at - interval '2 minutes' WHERE id = ${ours}`;
    await expect.poll(async () => (await linkOf(id)).refunded_amount).toBe(6);
    expect((await refundsOf(id)).map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", null],
      ["succeeded", "Made at sandbox"],
    ]);
  });

  it("is booked after a returned one, in any order of the gateway's list", async () => {
    const id = await paidLink("4000000000005126");
    expect((await refund(id)).json.data.status).toBe("succeeded");
    await hastenDecisions(merchant.businessId);
    await expect.poll(async () => (await refundsOf(id))[0]?.status).toBe("failed");
    await atGateway(id, 1050);
    await expect.poll(async () => (await refundsOf(id)).length).toBe(2);
  });

  it("is booked by the callback that settles its payment", async () => {
    const account = String(merchant.businessId);
    const linkId = await create(key, "payment_links");
    const id = newId("pay");
    const { ref } = await payAtSandbox(merchant.businessId, id, "4242424242424242");
    const all = { startedAt: new Date(), amountCents: 1050, currency: "EUR" };
    await sandbox(account).refund({ ...all, gatewayKey: `elsewhere-${id}`, chargeRef: ref ?? "" });
    // No callback of the sandbox names this payment yet.
    const callbacks = () => db.sandboxCallback.count({ where: { account, body: { contains: id } } });
    await expect.poll(callbacks).toBe(0);
    await insertSending(merchant.businessId, linkId, id);
    expect(await postCallback(account, noteOf("refund", id, "succeeded", new Date()).body)).toBe(200);
    expect(await linkOf(linkId)).toMatchObject({ status: "Paid", refunded_amount: 10.5 });
  });

  it("is booked once for simultaneous callbacks", async () => {
    const account = String(merchant.businessId);
    const ids = await Promise.all(Array.from({ length: 6 }, () => paidLink()));
    // One refund of the whole amount and two of a part: the whole one fits once, both parts fit.
    await Promise.all(ids.map((id, i) => atGateway(id, i % 2 ? 1050 : 350)));
    await Promise.all(ids.map((id, i) => (i % 2 ? null : atGateway(id, 250))));
    const payments = await db.payment.findMany({ where: { payment_link_id: { in: ids } } });
    const bodies = payments.flatMap(({ gateway_key }) =>
      Array.from({ length: 8 }, () => noteOf("refund", gateway_key, "succeeded", new Date()).body),
    );
    /** On a busy machine some callbacks get a 503. A gateway repeats those. */
    const post = async (body: string): Promise<number> => {
      const status = await postCallback(account, body);
      return status === 503 ? post(body) : status;
    };
    expect(new Set(await Promise.all(bodies.map(post)))).toEqual(new Set([200]));
    for (const [i, id] of ids.entries()) {
      const refunds = (await refundsOf(id)).map(({ amount, status }) => `${amount} ${status}`);
      expect(refunds.sort()).toEqual(i % 2 ? ["10.5 succeeded"] : ["2.5 succeeded", "3.5 succeeded"]);
      expect((await linkOf(id)).refunded_amount).toBe(i % 2 ? 10.5 : 6);
    }
  });
});
