import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
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

  await makeOlder(60);
  await Promise.allSettled([reconcileRefunds({ refundId: id }), reconcileRefunds({ paymentId })]);
  await reconcileRefunds({ refundId: id });
  expect(await stored()).toMatchObject({ status: "succeeded", gateway_ref: expect.stringMatching(/^re_/) });
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  expect(payment).toMatchObject({ refunded_cents: 300, refund_pending_cents: 0 });
  const charge = fake.charges(shop.stripeId).find(({ paymentIntent }) => paymentIntent === payment.gateway_ref);
  expect(charge?.refunded).toBe(300);
});
