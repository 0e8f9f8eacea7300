import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { POST } from "@/app/api/gateways/stripe/webhook/route";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { findAccount } from "@/lib/gateways/accounts";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { beginRefund, performRefund, reconcileRefunds } from "@/lib/ledger/refund";
import { tokenizationInput } from "@/lib/resources/tokenizations/contract";
import { createTokenization } from "@/lib/resources/tokenizations/service";
import { pay, visit } from "@/tests/support/payer";
import type { FaultRule } from "@/tests/support/stripe/faults";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// Stripe gives no usable answer. That is not our fault, so neither payers nor Stripe get a 500. What was lost is made up for later.
const fake = await startWithStripe();
fake.callbacks.paused = true; // the tests send their own
afterAll(() => fake.close());

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop(fake);
});

const email = "ada@example.com";

/** Every matching request fails while `work` runs. */
async function whileFailing<T>(rule: Partial<FaultRule>, work: () => Promise<T>): Promise<T> {
  const heal = fake.fault({ kind: "error_500", share: 1, ...rule });
  try {
    return await work();
  } finally {
    heal();
  }
}

/** Pays a new link at Stripe. @returns the payment's id and its payment intent */
async function paid() {
  const id = await payInShop(fake, shop, { amountCents: 1050, currency: "EUR" });
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id } });
  return { id, intent: gateway_ref ?? "" };
}

it("leads a payer who cancels to the page that says what is known", async () => {
  const link = { id: newId("pl"), email, title: "Order 1001", amount_cents: 1050, currency: "EUR" };
  await db.paymentLink.create({ data: { ...link, business_id: shop.businessId, livemode: false } });
  expect((await pay(link.id, "")).location).toBe(`/pay?id=${link.id}&wait=1&go=1`);
  const cancel = () => visit(`/pay?id=${link.id}`, { form: { action: "cancel" } });
  const wait = `/pay?id=${link.id}&wait=1`;
  for (const kind of ["error_500", "key_unknown"] as const)
    await whileFailing({ kind }, async () => {
      expect(await cancel()).toMatchObject({ status: 303, location: wait });
      const text = expect.stringContaining("We can’t check its status at the moment.");
      expect(await visit(wait)).toMatchObject({ status: 200, text });
    });
  // The page of the gateway can be found, but not closed.
  await whileFailing({ method: "POST" }, async () => expect((await cancel()).status).toBe(303));
  expect((await visit(wait)).text).toContain("Your payment isn’t finished");
  expect(await cancel()).toMatchObject({ status: 303, location: wait });
  expect((await visit(wait)).location).toMatch(/&attempt=pay_/);
});

it("asks a payer who saves a card to come back", async () => {
  const input = tokenizationInput.parse({ email, title: "Card on file", description: "For later orders" });
  const { token } = await createTokenization(db, { businessId: shop.businessId, livemode: false }, input);
  const save = () => visit(`/activate/${token}`, { form: {} });
  const away = { status: 503, text: expect.stringContaining("It shows whether your card is saved.") };
  expect(await whileFailing({ method: "POST", path: /checkout\/sessions$/ }, save)).toMatchObject(away);
  expect(await save()).toMatchObject({ status: 303, location: `/activate/${token}?go=1` });
  const again = await whileFailing({ method: "GET", path: /checkout\/sessions\/cs_/ }, save);
  expect(again).toMatchObject(away);
  expect(again.headers.get("retry-after")).toBe("10");
});

it.each([
  ["dispute", /disputes$/],
  ["refund", /refunds$/],
] as const)("lets Stripe repeat a callback about a %s", async (object, list) => {
  const { intent } = await paid();
  const keys = await findAccount(shop.accountId);
  // Neither object has our metadata, so its payment is looked up.
  const data = { object: { object, id: `${object}_1`, payment_intent: intent, metadata: {} } };
  const body = JSON.stringify({ id: "evt_1", object: "event", type: `charge.${object}.updated`, data });
  const secret = keys?.webhookSecret ?? "";
  const signed = shop.stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  async function send(signature = signed) {
    const url = `http://localhost/api/gateways/stripe/webhook?account=${shop.accountId}`;
    const request = new Request(url, { method: "POST", body, headers: { "Stripe-Signature": signature } });
    const reply = await POST(request, { params: Promise.resolve({}) });
    return [reply.status, (await reply.json()).code];
  }
  for (const path of [new RegExp(`payment_intents/${intent}$`), list])
    for (const kind of ["error_500", "lost_reply", "key_unknown"] as const)
      expect(await whileFailing({ kind, method: "GET", path }, send)).toEqual([503, "gateway_away"]);
  const forged = await whileFailing({}, () => send(signed.replace(/v1=./, "v1=x")));
  expect(forged).toEqual([400, "bad_request"]);
  expect(await send()).toEqual([200, undefined]);
});

it("logs that a dispute was not recorded, not that the outcome of the refund is unknown", async () => {
  const payment = await paid();
  fake.bank.dispute(payment.intent, { reason: "fraudulent" });
  const id = newId("ref");
  expect(await beginRefund({ id, paymentId: payment.id, amountCents: 250, reason: null })).toBe(true);
  const warn = vi.spyOn(log, "warn").mockReturnValue();
  await whileFailing({ method: "GET", path: /disputes$/ }, () => performRefund(id));
  const messages = warn.mock.calls.map(([, message]) => message);
  warn.mockRestore();
  expect(messages).toContain("the dispute behind a refused refund was not recorded");
  expect(messages).not.toContain("outcome of a refund unknown");
  const refused = { status: "failed", failure_reason: "payment_disputed" };
  expect(await db.refund.findUniqueOrThrow({ where: { id } })).toMatchObject(refused);
  await reconcileDisputes(payment.id);
  expect(await db.dispute.count({ where: { payment_id: payment.id } })).toBe(1);
});

it("looks up the dispute of a payment whose lost refund Stripe then refuses", async () => {
  const payment = await paid();
  const id = newId("ref");
  expect(await beginRefund({ id, paymentId: payment.id, amountCents: 250, reason: null })).toBe(true);
  await whileFailing({ kind: "lost_request", method: "POST", path: /refunds$/ }, () => performRefund(id));
  fake.bank.dispute(payment.intent, { reason: "fraudulent" });
  await db.$executeRaw`UPDATE refund SET started_at = started_at - interval '2 minutes' WHERE id = ${id}`;
  await reconcileRefunds({ refundId: id });
  const refused = { status: "failed", failure_reason: "payment_disputed" };
  expect(await db.refund.findUniqueOrThrow({ where: { id } })).toMatchObject(refused);
  const disputes = await db.dispute.findMany({ where: { payment_id: payment.id } });
  expect(disputes).toMatchObject([{ status: "needs_response", reason: "fraudulent" }]);
});
