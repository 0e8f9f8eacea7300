import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { importBalances } from "@/lib/ledger/balance-import";
import { checkBooks } from "@/lib/ledger/books";
import { reconcileSettled } from "@/lib/ledger/callback";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { moveChanges } from "@/lib/ledger/sums";
import { disputes } from "@/lib/resources/disputes/resource";
import { migrate } from "@/server/migrate";
import { actorOf } from "@/tests/bench/scale";
import { openBefore } from "@/tests/support/migrations";
import { openStripeShop, payInShop, type StripeShop, startWithStripe } from "@/tests/support/stripe-merchant";

// The account's balance is in rupiah: what Stripe books for €3,000.00 exceeds an integer, in cents.
const fake = await startWithStripe();
fake.callbacks.paused = true;
afterAll(() => fake.close());

const maxInteger = 2_147_483_647;
const order = { amountCents: 300_000, currency: "EUR" };
let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop(fake, { settlesIn: "idr" });
});

it("records a dispute that the gateway books above the largest integer, and its end", async () => {
  const id = await payInShop(fake, shop, order);
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id } });
  const ref = fake.bank.dispute(gateway_ref ?? "", { reason: "fraudulent" });
  const booked = () => Math.abs(fake.transactions(shop.stripeId).at(-1)?.amount ?? 0);
  const withdrawn = { amount_cents: booked(), currency: "IDR" };
  expect(withdrawn.amount_cents).toBeGreaterThan(maxInteger);
  await reconcileDisputes(id);
  const dispute = await db.dispute.findFirstOrThrow({ where: { gateway_ref: ref } });
  const shown = () => disputes.get(db, actorOf(shop.businessId), dispute.id);
  const fee = { amount_cents: 1_500, currency: "IDR" };
  const disputed = { amount_cents: 300_000, currency: "EUR", withdrawn, fee };
  expect(await shown()).toMatchObject({ ...disputed, returned: null, status: "needs_response" });

  fake.bank.move(ref, "won");
  const returned = { amount_cents: booked(), currency: "IDR" };
  expect(returned).not.toEqual(withdrawn); // another rate
  await Promise.all([reconcileDisputes(id), reconcileDisputes(id)]);
  expect(await shown()).toMatchObject({ ...disputed, returned, status: "won" });
  expect((await checkBooks()).imbalances).toEqual([]);
  await moveChanges();
  expect((await checkBooks()).imbalances).toEqual([]);
  const { _sum: sum } = await db.settledSum.aggregate({
    where: { business_id: shop.businessId, currency: "IDR", minutes: 60 },
    _sum: { disputed_cents: true, fee_cents: true },
  });
  const left = BigInt(withdrawn.amount_cents - returned.amount_cents);
  expect(sum).toEqual({ disputed_cents: left, fee_cents: 1_500n });
});

it("leaves out the fee and exchange that a payment's row cannot hold, without failing, and shows the difference", async () => {
  const id = await payInShop(fake, shop, order);
  await reconcileSettled(id);
  await db.balanceImport.updateMany({ where: { business_id: shop.businessId }, data: { next_at: new Date(0) } });
  while (await importBalances());
  const without = { status: "succeeded", booked_cents: null, fee_cents: null };
  expect(await db.payment.findUniqueOrThrow({ where: { id } })).toMatchObject(without);
  const entry = await db.balanceEntry.findFirstOrThrow({ where: { gateway_key: id } });
  expect(Number(entry.amount_cents)).toBeGreaterThan(maxInteger);
  expect(entry).toMatchObject({ type: "charge", recorded: false });
  expect((await checkBooks()).imbalances).toEqual([]);
});

it("keeps disputes from before the migration, and still counts their fees", async () => {
  const { url, client } = await openBefore("20261130055400_dispute_amounts");
  const move = (ref: string, kind: string, cents: number, fee: number) =>
    client.query(
      `INSERT INTO dispute_movement (gateway_ref, business_id, livemode, dispute_id, kind, amount_cents, fee_cents, currency)
       VALUES ($1, 1, false, 'dsp_1', $2, $3, $4, 'IDR')`,
      [ref, kind, cents, fee],
    );
  await client.query(`
    INSERT INTO business (id, name) VALUES (1, 'Books');
    INSERT INTO payment_link (id, business_id, livemode, email, currency, amount_cents, title, status, paid_at)
      VALUES ('pl_1', 1, false, 'ada@example.com', 'EUR', 1050, 'Order', 'Paid', now());
    INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_key, amount_cents, currency, status,
                         settled_at, receipt_token)
      VALUES ('pay_1', 1, false, 'pl_1', 'stripe', 'pay_1', 1050, 'EUR', 'succeeded', now(), 'token');
    INSERT INTO dispute (id, business_id, livemode, payment_id, payment_link_id, gateway_ref, amount_cents, currency, reason, status,
                         booked_currency, withdrawn_cents, fee_cents, opened_at)
      VALUES ('dsp_1', 1, false, 'pay_1', 'pl_1', 'du_1', 1050, 'EUR', 'fraudulent', 'needs_response', 'IDR', 18421052, 1500, now())`);
  await move("txn_1", "withdrawn", 18_421_052, 1_500);
  await migrate(url);
  await move("txn_2", "returned", maxInteger + 1, -1_500);
  const { rows: moved } = await client.query("SELECT amount_cents::float8 AS cents FROM dispute_movement ORDER BY 1");
  expect(moved).toEqual([{ cents: 18_421_052 }, { cents: maxInteger + 1 }]);
  const { rows: counted } = await client.query("SELECT cents::float8 AS cents, kind FROM settled_change ORDER BY 1");
  expect(counted).toEqual([
    { cents: -1_500, kind: "fee" },
    { cents: 1_500, kind: "fee" },
  ]);
  const { rows: kept } = await client.query("SELECT withdrawn_cents::float8 AS cents, gateway_ref FROM dispute");
  expect(kept).toEqual([{ cents: 18_421_052, gateway_ref: "du_1" }]);
  await client.end();
});
