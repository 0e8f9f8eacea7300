import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { sweepSettled } from "@/lib/ledger/sweep";
import { countEntries } from "@/tests/support/entries-read";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// Lookups of settled rows go by the system's time, also where the business's test clock is ahead.
const fake = await startWithStripe();
afterAll(() => fake.close());

const hourMs = 3_600_000;
const aheadHours = 60 * 24;

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop(fake);
  const test_clock_ahead = aheadHours * hourMs;
  await db.business.update({ where: { id: shop.businessId }, data: { test_clock_ahead } });
});

const agoBySystem = (hours: number) => new Date(Date.now() - hours * hourMs);
const agoByBusiness = (hours: number) => new Date(Date.now() + (aheadHours - hours) * hourMs);

/** A payment without a fee that was settled and last looked up so many hours ago. */
async function settledAgo(settledHours: number, askedHours: number, over: object = {}): Promise<string> {
  const id = await payInShop(fake, shop, { amountCents: 1050, currency: "EUR", late: true });
  const [started_at, asked_at] = [agoBySystem(settledHours), agoBySystem(askedHours)];
  const created_at = agoByBusiness(settledHours);
  await db.payment.update({
    where: { id },
    data: { fee_cents: null, fee_currency: null, started_at, created_at, settled_at: created_at, asked_at, ...over },
  });
  return id;
}

/** Whether the sweep looks a payment up. */
async function isLookedUp(id: string): Promise<boolean> {
  const before = await db.payment.findUniqueOrThrow({ where: { id } });
  await sweepSettled(new AbortController().signal);
  const { asked_at } = await db.payment.findUniqueOrThrow({ where: { id } });
  return asked_at?.getTime() !== before.asked_at?.getTime();
}

it.each<[what: string, settledHours: number, askedHours: number, expected: boolean]>([
  ["a payment of two hours after an hour", 2, 1.5, true],
  ["a payment of 20 hours after five hours", 20, 6, true],
  ["a payment of 20 hours not after two hours", 20, 2, false],
  ["a payment of 29 days", 29 * 24, 29 * 24, true],
  ["no payment of 31 days", 31 * 24, 31 * 24, false],
])("looks up %s", async (_, settledHours, askedHours, expected) => {
  expect(await isLookedUp(await settledAgo(settledHours, askedHours))).toBe(expected);
});

it("looks up a payment from before the clock was advanced", async () => {
  const settled_at = agoBySystem(2);
  expect(await isLookedUp(await settledAgo(2, 1.5, { created_at: settled_at, settled_at }))).toBe(true);
});

it("looks up a payment that staff recorded as failed for 30 days of the system's time", async () => {
  const byHand = {
    status: "failed",
    reason: "gateway_refused",
    receipt_token: null,
    settled_by: "Ada",
    settled_reason: "Refused",
  };
  expect(await isLookedUp(await settledAgo(29 * 24, 29 * 24, byHand))).toBe(true);
  expect(await isLookedUp(await settledAgo(31 * 24, 31 * 24, byHand))).toBe(false);
});

it("looks up a dispute for 30 days of the system's time after its decision", async () => {
  const payment = await payInShop(fake, shop, { amountCents: 1050, currency: "EUR", number: "4000000000000259" });
  await reconcileDisputes(payment);
  const { id } = await db.dispute.findFirstOrThrow({ where: { payment_id: payment } });
  const isAsked = async (closedDays: number) => {
    const asked_at = agoBySystem(29 * 24);
    const [started_at, closed_at] = [agoBySystem(60 * 24), agoByBusiness(closedDays * 24)];
    await db.dispute.update({ where: { id }, data: { status: "lost", started_at, closed_at, asked_at } });
    await sweepSettled(new AbortController().signal);
    const now = await db.dispute.findUniqueOrThrow({ where: { id } });
    return now.asked_at?.getTime() !== asked_at.getTime();
  };
  expect(await isAsked(29)).toBe(true);
  expect(await isAsked(31)).toBe(false);
});

it("looks up a payment of 28 days again within six hours after a lookup failed", async () => {
  const id = await settledAgo(28 * 24, 28 * 24);
  const removeFault = fake.fault({ kind: "error_500", share: 1 });
  expect(await isLookedUp(id)).toBe(true);
  removeFault();
  expect(await isLookedUp(id)).toBe(false);
  await db.$executeRaw`UPDATE payment SET asked_at = asked_at - interval '6 hours' WHERE id = ${id}`;
  expect(await isLookedUp(id)).toBe(true);
  await db.$executeRaw`UPDATE payment SET asked_at = asked_at - interval '6 hours' WHERE id = ${id}`;
  expect(await isLookedUp(id)).toBe(false); // that lookup succeeded
});

it("claims nothing when it is stopping", async () => {
  const id = await settledAgo(28 * 24, 28 * 24);
  const { asked_at } = await db.payment.findUniqueOrThrow({ where: { id } });
  await sweepSettled(AbortSignal.abort());
  expect((await db.payment.findUniqueOrThrow({ where: { id } })).asked_at).toEqual(asked_at);
});

it("reads no payments of more than 30 days ago", async () => {
  const { businessId } = shop;
  const daysOld = agoBySystem(40 * 24);
  await db.$executeRaw`
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, created_at, paid_at)
    SELECT 'pl_old' || n, ${businessId}, false, 'ada@example.com', 'EUR', 1050, 'Order', 'Paid', ${daysOld}, ${daysOld}
      FROM generate_series(1, 2000) AS n`;
  await db.$executeRaw`
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         started_at, created_at, settled_at, receipt_token)
    SELECT 'pay_old' || n, ${businessId}, false, 'pl_old' || n, 'stripe', 'pay_old' || n, 1050, 'EUR', 'succeeded',
           ${daysOld}, ${daysOld}, ${daysOld}, 'pay_old' || n
      FROM generate_series(1, 2000) AS n`;
  const sweep = () => sweepSettled(new AbortController().signal);
  expect(await countEntries(["payment"], sweep, "force_custom_plan")).toBeLessThan(500);
});
