import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import { asOwner } from "@/tests/support/postgres";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// No callback says that these payments are disputed.
const fake = await startWithStripe();
fake.callbacks.paused = true;
afterAll(() => fake.close());

let shop: StripeShop;
beforeEach(async () => {
  shop = await openStripeShop(fake);
});

const payDisputed = (of: StripeShop) =>
  payInShop(fake, of, { amountCents: 1050, currency: "EUR", number: "4000000000000259" });
const sweep = () => sweepDisputes(new AbortController().signal);
const disputesOf = (id: string) => db.dispute.count({ where: { payment_id: id } });
const listingOf = ({ accountId }: StripeShop) => db.disputeListing.findUnique({ where: { account: accountId } });

it("records the disputes behind a payment whose lookup fails, and that payment's once it succeeds", async () => {
  const failing = await payDisputed(shop);
  const next = await payDisputed(shop);
  await asOwner(`UPDATE payment SET gateway = 'sandbox' WHERE id = '${failing}'`); // not the account's: the lookup throws
  await sweep();
  expect([await disputesOf(failing), await disputesOf(next)]).toEqual([0, 1]);
  expect(await listingOf(shop)).toBeNull();
  await asOwner(`UPDATE payment SET gateway = 'stripe' WHERE id = '${failing}'`);
  await sweep();
  expect(await disputesOf(failing)).toBe(1);
  expect(await listingOf(shop)).not.toBeNull();
});

it("lists the disputes of 180 days at most, also while a lookup has failed for longer", async () => {
  const dayMs = 86_400_000;
  const { accountId: account } = shop;
  const listed_at = new Date(Date.now() - 200 * dayMs);
  await db.disputeListing.create({ data: { account, listed_at } });
  const before = fake.requests.length;
  await sweep();
  const lists = fake.requests.slice(before).filter(({ path }) => path.startsWith("/v1/disputes"));
  const since = lists.map(({ path, params }) => JSON.stringify([path, params]).match(/\b1\d{9}\b/)?.[0]);
  expect(since.map((seconds) => Math.round((Date.now() / 1000 - Number(seconds)) / 86_400))).toEqual([180]);
});
