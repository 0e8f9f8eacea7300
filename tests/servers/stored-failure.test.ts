import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clock } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { beginAttempt } from "@/lib/ledger/attempt";
import { checkBooks } from "@/lib/ledger/books";
import { closeFailedByHand, settleByHand } from "@/lib/ledger/by-hand";
import { reconcilePayment } from "@/lib/ledger/reconcile";
import { beginRefund, performRefund, reconcileRefunds } from "@/lib/ledger/refund";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// Stripe stores a failure of its own (500) under the idempotency key, and repeats it for a day.
const fake = await startWithStripe();
afterAll(() => fake.close());

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop(fake);
});

const order = { amountCents: 1050, currency: "EUR" };

/** What Stripe makes of a request of ours after it has answered that it failed. */
async function makeAtStripe(refundId: string, paymentId: string): Promise<void> {
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const metadata = { paydesk_payment: paymentId, paydesk_refund: refundId };
  await shop.stripe.refunds.create({ payment_intent: gateway_ref ?? "", amount: 300, metadata });
}

async function refundsOf(paymentId: string): Promise<[status: string, reason: string | null][]> {
  const rows = await db.refund.findMany({ where: { payment_id: paymentId }, orderBy: { created_at: "asc" } });
  return rows.map(({ status, reason }) => [status, reason]);
}

it("makes a refund whose request failed so, once", async () => {
  const paymentId = await payInShop(fake, shop, order);
  const id = newId("ref");
  const makeOlder = (minutes: number) =>
    db.$executeRaw`UPDATE refund SET started_at = started_at - ${minutes}::int * interval '1 minute' WHERE id = ${id}`;
  const stored = () => db.refund.findUniqueOrThrow({ where: { id } });
  fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored" });
  expect(await beginRefund({ id, paymentId, amountCents: 300, reason: null })).toBe(true);
  await performRefund(id);
  await makeOlder(2);
  await expect(reconcileRefunds({ refundId: id })).rejects.toThrow("StripeAPIError, 500");
  expect(await stored()).toMatchObject({ status: "pending", gateway_ref: null });

  const inAnHour = vi.spyOn(clock, "now").mockImplementation(() => new Date(Date.now() + 61 * 60_000));
  await Promise.allSettled([reconcileRefunds({ refundId: id }), reconcileRefunds({ paymentId })]);
  await reconcileRefunds({ refundId: id });
  inAnHour.mockRestore();
  expect(await stored()).toMatchObject({ status: "succeeded", gateway_ref: expect.stringMatching(/^re_/) });
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  expect(payment).toMatchObject({ refunded_cents: 300, refund_pending_cents: 0 });
  const charge = fake.charges(shop.stripeId).find(({ paymentIntent }) => paymentIntent === payment.gateway_ref);
  expect(charge?.refunded).toBe(300);
});

it("books a refund that Stripe makes after its own has failed", async () => {
  const paymentId = await payInShop(fake, shop, order);
  const id = newId("ref");
  await beginRefund({ id, paymentId, amountCents: 300, reason: null });
  fake.fault({ method: "POST", path: /refunds$/, kind: "key_forbidden" });
  await performRefund(id);
  await makeAtStripe(id, paymentId);
  for (const _ of [1, 2]) await reconcileRefunds({ paymentId });
  expect(await refundsOf(paymentId)).toEqual([
    ["failed", null],
    ["succeeded", "Made at stripe"],
  ]);
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  expect(payment).toMatchObject({ refunded_cents: 300, refund_pending_cents: 0 });
});

it("books a second refund that Stripe makes for one of ours", async () => {
  const paymentId = await payInShop(fake, shop, order);
  const id = newId("ref");
  await beginRefund({ id, paymentId, amountCents: 300, reason: null });
  await performRefund(id);
  await makeAtStripe(id, paymentId);
  await Promise.all([reconcileRefunds({ paymentId }), reconcileRefunds({ paymentId })]);
  expect(await refundsOf(paymentId)).toEqual([
    ["succeeded", null],
    ["succeeded", "Made at stripe"],
  ]);
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  expect(payment).toMatchObject({ refunded_cents: 600, refund_pending_cents: 0 });
  expect((await checkBooks()).imbalances).toEqual([]);
});

describe("a payment that Stripe never got, and whose key could not be used up", () => {
  let id: string;
  let linkId: string;
  const begin = () =>
    beginAttempt({ id: newId("pay"), linkId, shown: order, gateway: shop.gateway, tokenizationId: null });
  const makeOlder = (minutes: number) =>
    db.$executeRaw`UPDATE payment SET started_at = started_at - ${minutes}::int * interval '1 minute' WHERE id = ${id}`;

  beforeEach(async () => {
    linkId = newId("pl");
    const tenant = { business_id: shop.businessId, livemode: false };
    const link = { email: "ada@example.com", title: "Order", amount_cents: 1050, currency: "EUR" };
    await db.paymentLink.create({ data: { ...tenant, ...link, id: linkId } });
    id = (await begin())?.id ?? "";
    await makeOlder(2);
    fake.fault({ method: "POST", path: /customers$/, kind: "error_500_stored" });
    await expect(reconcilePayment(id)).rejects.toThrow("StripeAPIError, 500");
  });

  it("fails after ten minutes, and its link can be paid again", async () => {
    await expect(reconcilePayment(id)).rejects.toThrow("look it up again");
    await makeOlder(10);
    expect(await reconcilePayment(id)).toMatchObject({ outcome: "declined", reason: "processing_error" });
    expect(await begin()).not.toBeNull();
  });

  it("does not block its link for longer when staff record it as failed", async () => {
    const failed = { outcome: "declined", reason: "abandoned", code: null, ref: null, card: null, risk: null } as const;
    expect(await settleByHand({ id, linkId }, failed, { by: "Ada", reason: "Not at Stripe" })).toBe(true);
    expect(await begin()).toBeNull();
    await makeOlder(10);
    expect(await closeFailedByHand(id)).toBe(true);
    expect(await begin()).not.toBeNull();
  });
});
