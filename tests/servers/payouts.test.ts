import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { connectAccount } from "@/lib/gateways/accounts";
import type { Gateway } from "@/lib/gateways/gateway";
import { beginAttempt, settle } from "@/lib/ledger/attempt";
import { checkBooks } from "@/lib/ledger/books";
import { reconcileSettled } from "@/lib/ledger/callback";
import { gatewayFor } from "@/lib/ledger/gateways";
import { beginRefund, performRefund, reconcileRefunds } from "@/lib/ledger/refund";
import { aboutLink } from "@/tests/support/about";
import { createDatabase } from "@/tests/support/postgres";
import { startStripeFake } from "@/tests/support/stripe/fake";

const fake = await startStripeFake({ lateFees: true });
Object.assign(process.env, {
  DATABASE_URL: await createDatabase(),
  APP_SECRET: randomBytes(32).toString("base64url"),
  APP_URL: "http://localhost:3000",
  STRIPE_API_URL: fake.url,
});
afterAll(() => fake.close());

interface Shop {
  businessId: number;
  gateway: Gateway;
  stripe: Stripe;
}

/** A business with a Stripe account of its own. */
async function openShop(options: { settlesIn?: string } = {}): Promise<Shop> {
  const { id: businessId } = await db.business.create({ data: { name: "Shop" } });
  const { secretKey } = fake.account("test", options);
  const account = await connectAccount({ businessId, livemode: false, secretKey });
  const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: account.id });
  if (!gateway) throw new Error("The account has no gateway.");
  return { businessId, gateway, stripe: new Stripe(secretKey, { host: fake.host, port: fake.port, protocol: "http" }) };
}

interface Order {
  amountCents: number;
  currency: string;
  number?: string;
  /** Whether Stripe books the charge after its reply. */
  late?: boolean;
}

/** A link, paid at Stripe's page. @returns the payment's id */
async function pay({ businessId, gateway }: Shop, { amountCents, currency, number, late }: Order): Promise<string> {
  const [id, linkId] = [newId("pay"), newId("pl")];
  const email = "ada@example.com";
  const tenant = { business_id: businessId, livemode: false };
  await db.paymentLink.create({
    data: { ...tenant, id: linkId, email, title: "Order", amount_cents: amountCents, currency },
  });
  const attempt = await beginAttempt({
    id,
    linkId,
    shown: { amountCents, currency },
    gateway,
    tokenizationId: null,
  });
  if (!attempt) throw new Error("The link cannot be paid.");
  const sent = { gatewayKey: id, startedAt: attempt.startedAt, amountCents, currency };
  const opened = await gateway.pay({
    ...sent,
    card: null,
    merchant: "Shop",
    title: "Order",
    about: aboutLink("pl_0"),
    email,
    returnPath: "/pay",
  });
  if (opened.outcome !== "action") throw new Error(`ended as ${opened.outcome}`);
  fake.payer.complete(opened.ref, { number: number ?? "4242424242424242" });
  const result = await gateway.lookup({ ...sent, ref: opened.ref, cardRef: null });
  if (result.outcome !== "succeeded") throw new Error(`ended as ${result.outcome}`);
  const settled = late ? { ...result, booked: null } : result;
  await Promise.all([settle(attempt, settled), settle(attempt, settled)]);
  return id;
}

async function refund(paymentId: string, amountCents: number): Promise<string> {
  const id = newId("ref");
  expect(await beginRefund({ id, paymentId, amountCents, reason: null })).toBe(true);
  await performRefund(id);
  return id;
}

/** What the journal has at the gateway, by currency. */
async function leftAtGateway(businessId: number): Promise<Record<string, number>> {
  const { sums } = await checkBooks();
  return Object.fromEntries(
    sums.filter((row) => row.business_id === businessId).map((row) => [row.currency, row.balance]),
  );
}

/** What the transactions at Stripe add up to, by currency. */
async function heldByStripe(accountId: string): Promise<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const { currency, net } of fake.transactions(accountId))
    held[currency.toUpperCase()] = (held[currency.toUpperCase()] ?? 0) + net;
  return held;
}

describe("a charge in another currency than the account's balance", () => {
  let shop: Shop;
  let stripeId: string;
  beforeAll(async () => {
    shop = await openShop({ settlesIn: "eur" });
    stripeId = (await shop.stripe.accounts.retrieveCurrent()).id;
  });

  it("is exchanged in the journal as at the gateway, once it is booked, and so is each refund at its own rate", async () => {
    const yen = await pay(shop, { amountCents: 500_000, currency: "JPY", late: true }); // ¥5,000
    expect(await leftAtGateway(shop.businessId)).toEqual({ JPY: 500_000 });
    await Promise.all([reconcileSettled(yen), reconcileSettled(yen)]);
    await reconcileSettled(yen);
    const [charge] = fake.transactions(stripeId);
    expect(charge).toMatchObject({ currency: "eur", exchange_rate: expect.any(Number) });
    expect(await db.payment.findUnique({ where: { id: yen } })).toMatchObject({
      booked_cents: charge?.amount,
      fee_cents: charge?.fee,
      fee_currency: "EUR",
    });
    const refunded = await refund(yen, 200_000);
    const kinds = await db.posting.findMany({ where: { refund_id: refunded }, orderBy: { id: "asc" } });
    expect(kinds.map(({ kind, currency }) => [kind, currency])).toEqual([
      ["refund", "JPY"],
      ["exchange_in", "JPY"],
      ["exchange_out", "EUR"],
    ]);
    expect(await leftAtGateway(shop.businessId)).toEqual({ JPY: 0, ...(await heldByStripe(stripeId)) });
    expect((await checkBooks()).imbalances).toEqual([]);
  });

  it("comes back from a refund at a third rate", async () => {
    const pounds = await pay(shop, { amountCents: 2_000, currency: "GBP", number: "4000000000005126" });
    await refund(pounds, 1_500);
    fake.settleRefunds();
    await Promise.all([reconcileRefunds({ paymentId: pounds }), reconcileRefunds({ paymentId: pounds })]);
    await reconcileSettled(pounds);
    await reconcileSettled(pounds);
    expect(await leftAtGateway(shop.businessId)).toEqual({ JPY: 0, GBP: 0, ...(await heldByStripe(stripeId)) });
    expect((await checkBooks()).imbalances).toEqual([]);
  });

  it("in the account's own currency needs no exchange", async () => {
    const euros = await pay(shop, { amountCents: 1_050, currency: "EUR" });
    await reconcileSettled(euros);
    expect(await db.posting.findMany({ where: { payment_id: euros, kind: { startsWith: "exchange" } } })).toEqual([]);
    expect(await leftAtGateway(shop.businessId)).toMatchObject(await heldByStripe(stripeId));
  });
});
