import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { gatewayFor } from "@/lib/ledger/gateways";
import { beginRefund } from "@/lib/ledger/refund";
import { sweepPayments, sweepSettled } from "@/lib/ledger/sweep";
import {
  connectStripe,
  loseKey,
  openStripeShop,
  payInShop,
  type StripeShop,
  startWithStripe,
} from "@/tests/support/stripe-merchant";

// A business has replaced its account, and the key of the old one is revoked. More lookups fail than end an account's sweep.
const fake = await startWithStripe();
afterAll(() => fake.close());

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop(fake);
});

/** @returns the same business with another account */
async function replaceAccount({ businessId, accountId: before }: StripeShop): Promise<StripeShop> {
  const { id: stripeId, secretKey } = fake.account();
  const accountId = await connectStripe(businessId, secretKey);
  const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: accountId });
  if (!gateway) throw new Error("The account has no gateway.");
  await loseKey(before);
  return { businessId, accountId, gateway, stripeId, stripe: fake.client(secretKey) };
}

const pay = (of: StripeShop, number?: string) => payInShop(fake, of, { amountCents: 1050, currency: "EUR", number });

/** Commits a refund that was not sent to the gateway. */
async function leavePending(paymentId: string): Promise<string> {
  const id = newId("ref");
  expect(await beginRefund({ id, paymentId, amountCents: 10, reason: null })).toBe(true);
  return id;
}

it("sends the refunds of an account although those of the replaced account cannot be looked up", async () => {
  const old = await pay(shop);
  for (let count = 0; count < 60; count++) await leavePending(old);
  const now = await replaceAccount(shop);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(await leavePending(await pay(now)));
  await db.$executeRaw`UPDATE refund SET started_at = started_at - interval '2 minutes'`;
  await sweepPayments(new AbortController().signal);
  const refunds = await db.refund.findMany({ where: { id: { in: ids } } });
  expect(refunds.map(({ status }) => status)).toEqual(["succeeded", "succeeded", "succeeded"]);
});

it("looks up the disputes of an account although those of the replaced account cannot be looked up", async () => {
  const dispute = async (of: StripeShop) => {
    const id = await pay(of, "4000000000000259");
    await reconcileDisputes(id);
    return id;
  };
  for (let count = 0; count < 30; count++) await dispute(shop);
  const now = await replaceAccount(shop);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push(await dispute(now));
  const disputes = () => db.dispute.findMany({ where: { payment_id: { in: ids } } });
  for (const { gateway_ref } of await disputes()) fake.bank.move(gateway_ref, "under_review");
  await sweepSettled(new AbortController().signal);
  expect((await disputes()).map(({ status }) => status)).toEqual(["under_review", "under_review", "under_review"]);
});
