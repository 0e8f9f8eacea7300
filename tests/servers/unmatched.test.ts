import type Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Gateway } from "@/lib/gateways/gateway";
import { adoptCharges } from "@/lib/ledger/adopt";
import { beginAttempt } from "@/lib/ledger/attempt";
import { compareBalances } from "@/lib/ledger/balance-check";
import { importBalances } from "@/lib/ledger/balance-import";
import { checkBooks, compareWithGateways } from "@/lib/ledger/books";
import { belongsToOther, settleByHand } from "@/lib/ledger/by-hand";
import { handleCallback } from "@/lib/ledger/callback";
import { compareAccount } from "@/lib/ledger/compare";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import { resolveMismatch, settlePayment } from "@/lib/resources/payments/settle";
import { acknowledgeCharge } from "@/lib/resources/unknown-charges/service";
import { actorOf } from "@/tests/bench/scale";
import { aboutLink } from "@/tests/support/about";
import { asOwner } from "@/tests/support/postgres";
import { openStripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// Money that the gateway has taken and that is no payment here: lost by a restore, or recorded as failed by staff.
const fake = await startWithStripe();
afterAll(() => fake.close());

const shown = { amountCents: 1050, currency: "EUR" };
const [good, disputed] = ["4242424242424242", "4000000000000259"];

let businessId: number;
let accountId: string;
let gateway: Gateway;
let stripe: Stripe;
let stripeId: string;
beforeAll(async () => {
  ({ businessId, accountId, gateway, stripeId, stripe } = await openStripeShop(fake));
  const user = await db.user.create({
    data: { id: newId("usr"), email: "owner@example.com", name: "Ada", password_hash: "" },
  });
  await db.membership.create({ data: { business_id: businessId, user_id: user.id, role: "owner" } });
  await importNow();
});

async function importNow(): Promise<void> {
  await db.balanceImport.updateMany({ where: { business_id: businessId }, data: { next_at: new Date(0) } });
  while (await importBalances());
}

async function makeLink(cents = 1050): Promise<string> {
  const link = { id: newId("pl"), email: "ada@example.com", currency: "EUR", amount_cents: cents, title: "Order" };
  return (await db.paymentLink.create({ data: { business_id: businessId, livemode: false, ...link } })).id;
}

/** Pays at Stripe without the ledger's knowledge. @returns the payment intent */
async function payLost(linkId: string, key: string, number = good): Promise<string> {
  const request = { gatewayKey: key, startedAt: new Date(), ...shown, card: null, merchant: "Shop", title: "Order" };
  const to = { about: aboutLink(linkId), email: "ada@example.com", returnPath: "/pay" as const };
  const opened = await gateway.pay({ ...request, ...to });
  if (opened.outcome !== "action") throw new Error(`ended as ${opened.outcome}`);
  fake.payer.complete(opened.ref, { number });
  const known = await gateway.lookup({ ...request, ref: opened.ref, cardRef: null });
  if (known.outcome !== "succeeded") throw new Error(`ended as ${known.outcome}`);
  return known.ref;
}

const makeOlder = (id: string) =>
  db.$executeRaw`UPDATE payment SET started_at = started_at - interval '2 minutes' WHERE id = ${id}`;

async function whileCut(work: () => Promise<void>): Promise<void> {
  const heal = fake.fault({ kind: "lost_request", share: 1 });
  try {
    await work();
  } finally {
    heal();
  }
}

/** An attempt that staff record as failed, and that the gateway takes after all. */
async function mismatch(number = good): Promise<{ id: string; linkId: string; intent: string }> {
  const [id, linkId] = [newId("pay"), await makeLink()];
  await beginAttempt({ id, linkId, shown, gateway, tokenizationId: null });
  await makeOlder(id);
  const failed = { outcome: "declined", reason: "abandoned", code: null, ref: null, card: null, risk: null } as const;
  expect(await settleByHand({ id, linkId }, failed, { by: "Ada", reason: "Not at Stripe" })).toBe(true);
  return { id, linkId, intent: await payLost(linkId, id, number) };
}

/** What the journal has in each account, in cents. */
async function journal(): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ account: string; cents: number }[]>`
    SELECT account, sum(cents)::int AS cents FROM posting CROSS JOIN LATERAL (
      VALUES (debit, amount_cents), (credit, -amount_cents)) AS side(account, cents) GROUP BY 1 HAVING sum(cents) <> 0`;
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}

/** Every entry is in the journal, which has what Stripe has. */
async function expectEqual(): Promise<void> {
  await importNow();
  const held = fake.transactions(stripeId).reduce((cents, { net }) => cents + net, 0);
  expect((await journal()).gateway).toBe(held);
  expect(await db.balanceEntry.count({ where: { recorded: false } })).toBe(0);
  expect((await checkBooks()).imbalances).toEqual([]);
  expect((await compareBalances()).differences).toEqual([]);
}

it("has the refund and the dispute of a lost charge once, although they are imported before it is adopted", async () => {
  const [refunded, lost] = [await makeLink(2000), await makeLink(2000)];
  const intent = await payLost(refunded, newId("pay"));
  await payLost(lost, newId("pay"), disputed);
  await stripe.refunds.create({ payment_intent: intent, amount: 400 }); // in the dashboard: without our metadata
  await importNow();
  await compareAccount(accountId);
  await importNow();
  expect(await journal()).toEqual({});
  await db.paymentLink.updateMany({ where: { id: { in: [refunded, lost] } }, data: { amount_cents: 1050 } });
  expect(await adoptCharges({ accountId })).toBe(2);
  await expectEqual();
  expect(await journal()).toMatchObject({ sales: -2100, refunds: 400, disputes: 1050 });
});

it("has those of a charge that staff acknowledge as booked elsewhere", async () => {
  const before = await journal();
  const key = newId("pay");
  const intent = await payLost(newId("pl"), key);
  await stripe.refunds.create({ payment_intent: intent, amount: 400 });
  await compareAccount(accountId);
  await importNow();
  expect(await journal()).toEqual(before);
  const { id } = await db.unknownCharge.findUniqueOrThrow({ where: { gateway_key: key } });
  await acknowledgeCharge(actorOf(businessId), id, { note: "Booked elsewhere" });
  await expectEqual();
  expect((await journal()).adjustments).toBe(-650);
});

it("has a mismatch and its refund in an account of their own", async () => {
  const { id, intent } = await mismatch();
  await stripe.refunds.create({ payment_intent: intent, amount: 400 });
  await expectEqual(); // finds the mismatch by itself
  expect(await db.payment.findUnique({ where: { id } })).toMatchObject({ status: "failed", gateway_ref: intent });
  expect((await journal()).unmatched).toBe(-650);
  expect((await checkBooks()).sums).toMatchObject([{ unmatched: 650 }]);
  expect((await compareWithGateways(1)).differences).toEqual([]);
});

it("has the dispute of a mismatch, which the list or a callback finds, and tells staff", async () => {
  const [listed, called] = [await mismatch(disputed), await mismatch(disputed)];
  await handleCallback(gateway, { about: "dispute", key: called.id }, businessId);
  await sweepDisputes(new AbortController().signal);
  for (const { id } of [listed, called]) {
    const payment = await db.payment.findUniqueOrThrow({ where: { id } });
    expect(payment).toMatchObject({ status: "failed", disputed_cents: 1050, mismatch_at: expect.any(Date) });
  }
  const isTaken = (ref: string) => belongsToOther(listed.id, ref);
  expect([await isTaken(called.intent), await isTaken(listed.intent)]).toEqual([true, false]);
  expect(await db.email.count({ where: { template: "dispute_opened", to: "owner@example.com" } })).toBe(3);
  await expectEqual();
  expect(await journal()).toMatchObject({ unmatched: -650 - 2100, disputes: 1050 * 3 });
  expect((await compareWithGateways(1)).differences).toEqual([]);
});

it("has the money of a mismatch once when it becomes a paid payment", async () => {
  const before = await journal();
  const { id, intent } = await mismatch();
  await stripe.refunds.create({ payment_intent: intent, amount: 400 });
  await expectEqual();
  const body = { resolution: "counted", note: "On the payer's statement" } as const;
  expect(await resolveMismatch(actorOf(businessId), id, body)).toMatchObject({
    status: "succeeded",
    refunded_amount: 0,
  });
  expect((await checkBooks()).imbalances).toEqual([]);
  await expectEqual();
  const { unmatched, sales = 0, refunds = 0 } = await journal();
  expect({ unmatched, sales, refunds }).toEqual({
    unmatched: before.unmatched,
    sales: (before.sales ?? 0) - 1050,
    refunds: (before.refunds ?? 0) + 400,
  });
});

it.each([
  ["refuses connections", () => fake.withoutConnections],
  ["cuts them", () => whileCut],
])("is decided by staff while Stripe %s, which is no failure of the database", async (_, away) => {
  const [open, taken] = [newId("pay"), await mismatch()];
  await beginAttempt({ id: open, linkId: await makeLink(), shown, gateway, tokenizationId: null });
  await makeOlder(open);
  await expectEqual(); // finds the mismatch
  const failed = { status: "failed", gateway_ref: null, reason: "Not at Stripe" } as const;
  const counted = { resolution: "counted", note: "On the payer's statement" } as const;
  await away()(async () => {
    expect(await settlePayment(actorOf(businessId), open, failed)).toMatchObject({ status: "failed" });
    await expect(resolveMismatch(actorOf(businessId), taken.id, counted)).rejects.toMatchObject({
      code: "gateway_away",
    });
  });
});

it("sees in the books an entry that the journal has twice", async () => {
  const entry = await db.balanceEntry.findFirstOrThrow({ where: { type: "dispute" } });
  await asOwner(`
    INSERT INTO posting (business_id, livemode, kind, balance_entry_id, debit, credit, amount_cents, currency)
    VALUES (${businessId}, false, 'adjustment', '${entry.id}', 'adjustments', 'gateway', ${-entry.net_cents}, 'EUR')`);
  expect((await checkBooks()).imbalances).toEqual([`balance entry in the journal twice: ${entry.gateway_ref}`]);
});
