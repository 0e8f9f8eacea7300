import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { updateSubscription } from "@/lib/resources/subscriptions/service";
import { actorOf } from "@/tests/bench/scale";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// How a dispute at Stripe moves the subscription of its payment: the sandbox's disputes have no answer that the bank considers.
const fake = await startWithStripe();
afterAll(() => fake.close());

let shop: StripeShop;
let subscriptionId: string;
let paymentId: string;
let disputeId: string;
beforeEach(async () => {
  shop = await openStripeShop(fake);
  const tenant = { business_id: shop.businessId, livemode: false };
  const [packageId, now, day] = [newId("pkg"), Date.now(), 86_400_000];
  const price = { amount_cents: 1050, currency: "EUR", frequency: "monthly" };
  await db.package.create({ data: { ...tenant, ...price, id: packageId, name: "Reading club" } });
  subscriptionId = newId("sub");
  const period = { period_start: new Date(now - day), period_end: new Date(now + 29 * day) };
  await db.subscription.create({
    data: {
      ...{ ...tenant, id: subscriptionId, package_id: packageId, email: "ada@example.com", status: "active" },
      ...{
        anchor: "2026-01-31T00:00:00",
        timezone: "Europe/Berlin",
        next_period: 1,
        next_charge_at: period.period_end,
      },
    },
  });
  const order = {
    amountCents: 1050,
    currency: "EUR",
    period: { subscription_id: subscriptionId, period_index: 0, ...period },
  };
  paymentId = await payInShop(fake, shop, order);
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  disputeId = fake.bank.dispute(gateway_ref ?? "", { reason: "fraudulent" });
  await reconcileDisputes(paymentId);
});

const statusOf = async () => (await db.subscription.findUniqueOrThrow({ where: { id: subscriptionId } })).status;

async function move(status: "under_review" | "won" | "lost"): Promise<void> {
  fake.bank.move(disputeId, status);
  await reconcileDisputes(paymentId);
}

it("pauses it until it is won", async () => {
  expect(await statusOf()).toBe("paused");
  await move("under_review");
  expect(await statusOf()).toBe("paused");
  await move("won");
  expect(await statusOf()).toBe("active");
});

it("does not pause it again when the bank considers an answer, once staff have resumed it", async () => {
  await updateSubscription(db, await actorOf(shop.businessId), subscriptionId, { status: "active" });
  await move("under_review");
  expect(await statusOf()).toBe("active");
  await move("lost");
  expect(await statusOf()).toBe("active");
});
