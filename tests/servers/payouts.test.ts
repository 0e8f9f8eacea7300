import Papa from "papaparse";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { clock } from "@/lib/core/clock";
import { db, pool, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { beginAttempt, settle } from "@/lib/ledger/attempt";
import { compareBalances } from "@/lib/ledger/balance-check";
import { importBalances } from "@/lib/ledger/balance-import";
import { checkBooks } from "@/lib/ledger/books";
import { reconcileSettled } from "@/lib/ledger/callback";
import { compareAccount } from "@/lib/ledger/compare";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { gatewayFor } from "@/lib/ledger/gateways";
import { markPaid, reversePayment } from "@/lib/ledger/manual";
import { beginRefund, performRefund, reconcileRefunds } from "@/lib/ledger/refund";
import { payments } from "@/lib/resources/payments/resource";
import { payouts } from "@/lib/resources/payouts/resource";
import { readBalance, refreshBalance } from "@/lib/resources/payouts/service";
import { exportReport } from "@/lib/resources/reports/export";
import type { ExportQuery } from "@/lib/resources/reports/export-contract";
import { rates } from "@/lib/resources/reports/rates";
import { overview } from "@/lib/resources/reports/service";
import { acknowledgeCharge } from "@/lib/resources/unknown-charges/service";
import { actorOf } from "@/tests/bench/scale";
import { aboutLink } from "@/tests/support/about";
import {
  type Order,
  openStripeShop,
  payInShop,
  type StripeShop,
  startWithStripe,
} from "@/tests/support/stripe-merchant";

const fake = await startWithStripe({ lateFees: true });
afterAll(() => fake.close());

const pay = (shop: StripeShop, order: Order) => payInShop(fake, shop, order);

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
  let shop: StripeShop;
  let stripeId: string;
  beforeAll(async () => {
    shop = await openStripeShop(fake, { settlesIn: "eur" });
    stripeId = shop.stripeId;
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

/** Imports what the business's gateways report, like the job. */
async function importNow(businessId: number): Promise<void> {
  await db.balanceImport.updateMany({ where: { business_id: businessId }, data: { next_at: new Date(0) } });
  while (await importBalances());
}

/** Whether the dashboard says that the balance of the business's Stripe account equals the books, and why not. */
async function booksOf(businessId: number) {
  const actor = actorOf(businessId);
  const { accounts } = await readBalance(db, actor);
  const [{ equals_books, differences } = { equals_books: null, differences: [] }] = accounts.filter(
    ({ gateway }) => gateway === "stripe",
  );
  const { attention } = await overview(db, actor, { from: null, to: null });
  return { equals_books, differences, attention: attention.differing_balances };
}

const balancesOf = async (businessId: number) => {
  const rows = await db.gatewayBalance.findMany({ where: { business_id: businessId }, orderBy: { currency: "asc" } });
  return Object.fromEntries(rows.map((row) => [row.currency, [Number(row.gateway_cents), Number(row.entries_cents)]]));
};

describe("an import of the balance", () => {
  let shop: StripeShop;
  let stripeId: string;
  /** The journal, the gateway's balance and the imported entries agree in each currency with money. */
  const expectEqual = async () => {
    const held = await heldByStripe(stripeId);
    const journal = await leftAtGateway(shop.businessId);
    expect(Object.fromEntries(Object.entries(journal).filter(([currency]) => currency in held))).toEqual(held);
    expect(await balancesOf(shop.businessId)).toEqual(
      Object.fromEntries(Object.entries(held).map(([currency, cents]) => [currency, [cents, cents]])),
    );
    expect(await db.balanceEntry.count({ where: { business_id: shop.businessId, recorded: false } })).toBe(0);
    expect((await checkBooks()).imbalances).toEqual([]);
  };

  beforeAll(async () => {
    shop = await openStripeShop(fake, { settlesIn: "eur" });
    stripeId = shop.stripeId;
    // The account is older than Paydesk's part in it.
    fake.adjust(stripeId, "other_adjustment", 12_345, "eur");
  });

  it("equals the gateway's, with charges, refunds, fees and adjustments, each once", async () => {
    const yen = await pay(shop, { amountCents: 500_000, currency: "JPY", late: true });
    const euros = await pay(shop, { amountCents: 2_000, currency: "EUR", number: "4000000000005126" });
    await refund(euros, 500);
    await shop.stripe.refunds.create({
      payment_intent: String((await shop.stripe.refunds.list()).data[0]?.payment_intent),
      amount: 100,
    });
    fake.settleRefunds();
    fake.adjust(stripeId, "fee", -250, "eur");
    await importNow(shop.businessId);
    await expectEqual();
    const count = () => db.balanceEntry.count({ where: { business_id: shop.businessId } });
    const before = await count();
    await Promise.all([importNow(shop.businessId), importNow(shop.businessId)]);
    expect(await count()).toBe(before);
    await expectEqual();
    expect(await db.payment.findUnique({ where: { id: yen } })).toMatchObject({ booked_cents: expect.any(Number) });
  });

  it("has payouts with what is in them; a payout that fails comes back as a new fact", async () => {
    const [paid = ""] = fake.payOut(stripeId);
    await importNow(shop.businessId);
    await expectEqual();
    const payout = await db.payout.findFirstOrThrow({ where: { business_id: shop.businessId } });
    expect(payout).toMatchObject({ gateway_ref: paid, status: "in_transit", complete: true });
    const inside = await db.balanceEntry.findMany({ where: { payout_id: payout.id } });
    expect(inside.reduce((sum, { net_cents }) => sum + net_cents, 0n)).toBe(payout.amount_cents);
    fake.endPayout(stripeId, paid, "failed");
    await importNow(shop.businessId);
    await expectEqual();
    const postings = await db.posting.findMany({
      where: { business_id: shop.businessId, kind: { startsWith: "payout" } },
      orderBy: { id: "asc" },
    });
    expect(postings.map(({ kind, debit, credit, amount_cents }) => [kind, debit, credit, amount_cents])).toEqual([
      ["payout", "bank", "gateway", payout.amount_cents],
      ["payout_failed", "gateway", "bank", payout.amount_cents],
    ]);
    const { accounts } = await readBalance(db, actorOf(shop.businessId));
    const [held] = Object.values(await heldByStripe(stripeId));
    const currencies = [{ currency: "EUR", amount_cents: held, difference_cents: 0 }];
    expect(accounts).toMatchObject([{ gateway: "stripe", problem: null, unrecorded_entries: 0, currencies }]);
    expect((await refreshBalance(db, actorOf(shop.businessId))).refreshing).toBe(true);
    const events = await db.event.findMany({
      where: { business_id: shop.businessId, type: { startsWith: "payout." } },
    });
    expect(events.map(({ type }) => type).sort()).toEqual(["payout.created", "payout.failed"]);
  });

  it("says on each payment what was left of it and its payout, and adds up a payout by type", async () => {
    const id = await pay(shop, { amountCents: 500_000, currency: "JPY" });
    const actor = actorOf(shop.businessId);
    const settled = await db.payment.findUniqueOrThrow({ where: { id } });
    const net = ((settled.booked_cents ?? 0) - (settled.fee_cents ?? 0)) / 100;
    expect(net).toBeGreaterThan(0);
    expect(await payments.get(db, actor, id)).toMatchObject({
      fee: { currency: "EUR" },
      net_amount: net,
      payout_id: null,
    });
    const [ref = ""] = fake.payOut(stripeId);
    await importNow(shop.businessId);
    const { payout_id } = await payments.get(db, actor, id);
    const payout = await payouts.get(db, actor, payout_id ?? "");
    expect(payout).toMatchObject({ gateway_reference: ref, external_id: stripeId, bank_reference: null });
    expect(payout.totals.reduce((sum, { net_cents }) => sum + net_cents, 0)).toBe(payout.amount_cents);
    expect(payout.totals).toContainEqual(
      expect.objectContaining({ type: "charge", count: 1, amount_cents: settled.booked_cents }),
    );
    const [{ currencies = [] } = {}] = (await readBalance(db, actor)).accounts;
    expect(currencies).toMatchObject([{ on_its_way_cents: payout.amount_cents }]);
  });

  it("has a payout's entries once Stripe lists all of them, and again if they did not add up", async () => {
    const id = await pay(shop, { amountCents: 2_000, currency: "EUR" });
    const actor = actorOf(shop.businessId);
    const [ref = ""] = fake.payOut(stripeId);
    fake.setReconciliation(stripeId, ref, "in_progress");
    const stored = () => db.payout.findFirstOrThrow({ where: { business_id: shop.businessId, gateway_ref: ref } });
    const expectEntries = async () => {
      await importNow(shop.businessId);
      const payout = await payouts.get(db, actor, (await stored()).id);
      expect(payout.totals.reduce((sum, { net_cents }) => sum + net_cents, 0)).toBe(payout.amount_cents);
      expect((await payments.get(db, actor, id)).payout_id).toBe(payout._id);
    };
    await importNow(shop.businessId);
    expect(await stored()).toMatchObject({ complete: false, totals: [] });
    const { next_at } = await db.balanceImport.findFirstOrThrow({ where: { business_id: shop.businessId } });
    expect(next_at.getTime()).toBeLessThan(Date.now() + 2 * 3_600_000); // not the next night
    fake.setReconciliation(stripeId, ref, "completed");
    await expectEntries();
    // As an import stored it while Stripe listed nothing.
    await db.payout.update({ where: { id: (await stored()).id }, data: { totals: [] } });
    await expectEntries();
    fake.endPayout(stripeId, ref, "failed");
    await importNow(shop.businessId);
    await expectEqual();
  });

  it("has the bank's reference once the gateway knows it, and no second event for it", async () => {
    const actor = actorOf(shop.businessId);
    const payout = await db.payout.findFirstOrThrow({ where: { business_id: shop.businessId, status: "in_transit" } });
    fake.endPayout(stripeId, payout.gateway_ref, "paid");
    await importNow(shop.businessId);
    expect(await payouts.get(db, actor, payout.id)).toMatchObject({ status: "paid", bank_reference: null });
    fake.endPayout(stripeId, payout.gateway_ref, "paid", "TRACE123");
    await importNow(shop.businessId);
    expect(await payouts.get(db, actor, payout.id)).toMatchObject({ bank_reference: "TRACE123" });
    fake.endPayout(stripeId, payout.gateway_ref, "in_transit"); // as another import has listed it before
    await importNow(shop.businessId);
    expect(await payouts.get(db, actor, payout.id)).toMatchObject({ status: "paid" });
    fake.endPayout(stripeId, payout.gateway_ref, "paid", "TRACE123");
    await importNow(shop.businessId);
    expect(await db.event.count({ where: { resource_id: payout.id, type: "payout.paid" } })).toBe(1);
  });

  it("has disputes and their fees once, lost and won", async () => {
    const lost = await pay(shop, { amountCents: 4_000, currency: "EUR" });
    const won = await pay(shop, { amountCents: 300_000, currency: "JPY" });
    const intents = await db.payment.findMany({ where: { id: { in: [lost, won] } }, orderBy: { id: "asc" } });
    const [first = "", second = ""] = intents.map(({ gateway_ref }) =>
      fake.bank.dispute(gateway_ref ?? "", { reason: "fraudulent" }),
    );
    await reconcileDisputes(lost); // Paydesk hears of one of them before the import
    await importNow(shop.businessId);
    await expectEqual();
    fake.bank.move(first, "lost");
    fake.bank.move(second, "won");
    await importNow(shop.businessId);
    await expectEqual();
  });

  it("says that the key may not read the balance, and goes on once it may", async () => {
    const heal = fake.fault({ kind: "key_forbidden", path: /balance|payouts/, share: 1 });
    const id = await pay(shop, { amountCents: 1_050, currency: "EUR" });
    await importNow(shop.businessId);
    const where = { business_id: shop.businessId, NOT: { gateway_account_id: null } };
    expect(await db.balanceImport.findFirst({ where })).toMatchObject({ problem: "forbidden" });
    const { differences, unchecked, isComplete } = await compareBalances();
    const named = (lines: Iterable<string>) =>
      [...lines].filter((line) => line.startsWith(`business ${shop.businessId} gwa_`));
    expect([named(differences), named(unchecked).length, isComplete]).toEqual([[], 1, true]);
    expect(await db.payment.findUnique({ where: { id } })).toMatchObject({ status: "succeeded" });
    heal();
    await importNow(shop.businessId);
    expect(await db.balanceImport.findFirst({ where })).toMatchObject({ problem: null });
    await expectEqual();
  });

  it("finds a change of the balance that has no entry", async () => {
    await db.gatewayBalance.updateMany({
      where: { business_id: shop.businessId, currency: "EUR" },
      data: { entries_cents: { increment: 5 } },
    });
    await importNow(shop.businessId);
    const [[gateway = 0, entries = 0] = []] = Object.values(await balancesOf(shop.businessId));
    expect(entries - gateway).toBe(5);
    expect(await booksOf(shop.businessId)).toEqual({
      equals_books: false,
      differences: [expect.objectContaining({ kind: "without_entry", amount_cents: -5, currency: "EUR" })],
      attention: 1,
    });
    expect((await compareBalances()).differences).toContainEqual(
      expect.stringContaining("-€0.05 of the balance has no entry"),
    );
    await db.gatewayBalance.updateMany({
      where: { business_id: shop.businessId, currency: "EUR" },
      data: { entries_cents: { decrement: 5 } },
    });
    expect((await compareBalances()).differences).toEqual([]);
    expect(await booksOf(shop.businessId)).toEqual({ equals_books: true, differences: [], attention: 0 });
    // Money that moves during an import makes the comparison inexact, and is no difference.
    await db.gatewayBalance.updateMany({
      where: { business_id: shop.businessId },
      data: { entries_cents: { increment: 5 } },
    });
    await db.balanceImport.updateMany({ where: { business_id: shop.businessId }, data: { still: false } });
    expect(await booksOf(shop.businessId)).toEqual({ equals_books: null, differences: [], attention: 0 });
    await db.gatewayBalance.updateMany({
      where: { business_id: shop.businessId },
      data: { entries_cents: { decrement: 5 } },
    });
  });

  it("names a charge that Paydesk does not know, as after a restored backup, and a payment that the gateway does not", async () => {
    const other = await openStripeShop(fake);
    const { id: account } = await other.stripe.accounts.retrieveCurrent();
    await importNow(other.businessId); // so that the charge is not among what the account held before
    const request = {
      gatewayKey: newId("pay"),
      startedAt: new Date(),
      amountCents: 1_050,
      currency: "EUR",
      card: null,
    };
    const payer = { merchant: "Shop", title: "Order", email: "ada@example.com", returnPath: "/pay" } as const;
    const opened = await other.gateway.pay({ ...request, ...payer, about: aboutLink("pl_0") });
    if (opened.outcome !== "action") throw new Error(`ended as ${opened.outcome}`);
    fake.payer.complete(opened.ref, { number: "4242424242424242" });
    const [charge] = fake.transactions(account);
    expect((await compareBalances()).differences).toEqual([
      expect.stringMatching(/EUR: the journal has €0.00 at the gateway, the gateway has €9.90$/),
      expect.stringContaining(`charge ${charge?.id} of €9.90 is not in the journal`),
    ]);
    const [id, linkId] = [newId("pay"), newId("pl")];
    const money = { business_id: other.businessId, livemode: false, amount_cents: 500, currency: "EUR" };
    const link = { ...money, id: linkId, email: payer.email, title: "Order", status: "Processing" };
    await db.paymentLink.create({ data: link });
    const gateway = { gateway: "stripe", gateway_account_id: other.gateway.accountId, gateway_key: id };
    await db.payment.create({ data: { ...money, ...gateway, id, payment_link_id: linkId, status: "sending" } });
    await settle(
      { id, linkId },
      { outcome: "succeeded", ref: "pi_0", card: null, booked: null, saved: null, risk: null },
    );
    expect((await compareBalances()).differences).toContainEqual(
      expect.stringContaining(`${id} of €5.00 has no entry at the gateway`),
    );
    // What happened in the last hours can still arrive.
    expect(await booksOf(other.businessId)).toEqual({ equals_books: true, differences: [], attention: 0 });
    await db.business.update({ where: { id: other.businessId }, data: { test_clock_ahead: 4 * 3_600_000 } });
    await importNow(other.businessId);
    const common = { currency: "EUR", type: null, balance_entry_id: null };
    expect(await booksOf(other.businessId)).toEqual({
      equals_books: false,
      differences: [
        expect.objectContaining({
          kind: "unrecorded_entry",
          type: "charge",
          amount_cents: 990,
          gateway_reference: charge?.id,
        }),
        expect.objectContaining({ ...common, kind: "unbooked_payment", amount_cents: -500, payment_id: id }),
      ],
      attention: 1,
    });
    // The gateway books it after all.
    const owned = { business_id: other.businessId, livemode: false, gateway_account_id: other.gateway.accountId };
    const entry = {
      ...owned,
      id: newId("bal"),
      gateway_ref: "txn_late",
      type: "charge",
      currency: "EUR",
    };
    const cents = { amount_cents: 500, fee_cents: 10, net_cents: 490 };
    await db.balanceEntry.create({ data: { ...entry, ...cents, gateway_key: id, created_at: new Date() } });
    await importNow(other.businessId);
    const { differences } = await booksOf(other.businessId);
    expect(differences.map(({ kind }) => kind)).toEqual(["unrecorded_entry"]);
  });
});

it("has a charge that staff acknowledged, and its refund, as booked elsewhere", async () => {
  const other = await openStripeShop(fake);
  await importNow(other.businessId);
  const key = newId("pay");
  const sent = { gatewayKey: key, startedAt: new Date(), amountCents: 1_050, currency: "EUR", card: null };
  const payer = { merchant: "Shop", title: "Order", email: "ada@example.com", returnPath: "/pay" } as const;
  const opened = await other.gateway.pay({ ...sent, ...payer, about: aboutLink(newId("pl")) });
  if (opened.outcome !== "action") throw new Error(`ended as ${opened.outcome}`);
  fake.payer.complete(opened.ref, { number: "4242424242424242" });
  await compareAccount(String(other.gateway.accountId));
  const charge = await db.unknownCharge.findUniqueOrThrow({ where: { gateway_key: key } });
  await importNow(other.businessId);
  expect(await leftAtGateway(other.businessId)).toEqual({});
  await other.stripe.refunds.create({ payment_intent: charge.gateway_ref, metadata: { paydesk_payment: key } });
  await acknowledgeCharge(actorOf(other.businessId), charge.id, { note: "Refunded at Stripe" });
  await importNow(other.businessId);
  expect(await leftAtGateway(other.businessId)).toEqual({ EUR: -60 }); // its fee
  expect(await db.balanceEntry.count({ where: { business_id: other.businessId, recorded: false } })).toBe(0);
  expect((await checkBooks()).imbalances).toEqual([]);
});

describe("the sandbox's balance", () => {
  it("is paid out by the business's clock, to the cent", async () => {
    const { id: businessId } = await db.business.create({ data: { name: "Tester" } });
    const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: null });
    if (!gateway) throw new Error("Test mode has the sandbox.");
    const paid: string[] = [];
    for (const [amountCents, currency] of [
      [1_050, "EUR"],
      [2_000, "EUR"],
      [100_000, "JPY"],
    ] as const)
      paid.push(await payInSandbox({ businessId, gateway }, amountCents, currency));
    await refund(paid[1] ?? "", 700);
    await importNow(businessId);
    expect(await balancesOf(businessId)).toEqual(
      Object.fromEntries(
        Object.entries(await leftAtGateway(businessId)).map(([name, cents]) => [name, [cents, cents]]),
      ),
    );
    expect(await db.payout.count({ where: { business_id: businessId } })).toBe(0);
    await db.business.update({ where: { id: businessId }, data: { test_clock_ahead: 3 * 86_400_000 } });
    await importNow(businessId);
    await importNow(businessId);
    expect(await leftAtGateway(businessId)).toEqual({ EUR: 0, JPY: 0 });
    const payouts = await db.payout.findMany({ where: { business_id: businessId }, orderBy: { currency: "asc" } });
    expect(payouts.map(({ currency, amount_cents }) => [currency, amount_cents])).toEqual([
      ["EUR", 1_050n - 40n + 2_000n - 53n - 700n],
      ["JPY", 100_000n - 1_400n],
    ]);
    for (const { id, amount_cents } of payouts) {
      const inside = await db.balanceEntry.findMany({ where: { payout_id: id } });
      expect(inside.reduce((sum, { net_cents }) => sum + net_cents, 0n)).toBe(amount_cents);
    }
    expect((await checkBooks()).imbalances).toEqual([]);
  });
});

describe("an export", () => {
  let businessId: number;
  let actor: ReturnType<typeof actorOf>;
  const file = async (query: Partial<ExportQuery>): Promise<Record<string, string>[]> => {
    let csv = "";
    for await (const part of await exportReport(actor, { what: null, from: null, to: null, bom: null, ...query }))
      csv += part;
    return Papa.parse<Record<string, string>>(csv.trim(), { header: true }).data;
  };
  const at = (time: string, work: () => Promise<unknown>) => clock.at(new Date(time), work);

  beforeAll(async () => {
    ({ id: businessId } = await db.business.create({ data: { name: "Accounts", timezone: "Europe/Berlin" } }));
    actor = actorOf(businessId);
    const gateway = await gatewayFor({ business_id: businessId, livemode: false, gateway_account_id: null });
    if (!gateway) throw new Error("Test mode has the sandbox.");
    const shop = { businessId, gateway };
    // The last minute of October and the first of November in Berlin.
    await at("2026-10-31T22:59:00Z", () => payInSandbox(shop, 1_050, "EUR"));
    await at("2026-10-31T23:01:00Z", async () => {
      const id = await payInSandbox(shop, 2_000, "EUR");
      await db.paymentLink.updateMany({ where: { business_id: businessId }, data: { reference: "=1+1" } });
      await refund(id, 500);
    });
    await at("2026-11-30T22:59:59Z", () => payInSandbox(shop, 100_000, "JPY"));
    await db.business.update({ where: { id: businessId }, data: { test_clock_ahead: 3 * 86_400_000 } });
    await importNow(businessId);
  });

  it("of the journal sums to the books, account by account", async () => {
    const rows = await file({ from: "2026-10-01", to: "2027-12-31" });
    expect(rows).toHaveLength(await db.posting.count({ where: { business_id: businessId } }));
    const sums: Record<string, Record<string, number>> = {};
    for (const { debit = "", credit = "", amount, currency = "" } of rows) {
      const of = sums[currency] ?? {};
      sums[currency] = of;
      of[debit] = (of[debit] ?? 0) + Math.round(Number(amount) * 100);
      of[credit] = (of[credit] ?? 0) - Math.round(Number(amount) * 100);
    }
    const books = (await checkBooks()).sums.filter((row) => row.business_id === businessId);
    expect(books.map(({ currency }) => currency).sort()).toEqual(Object.keys(sums).sort());
    for (const { currency, paid, refunded, fees, paid_out, balance } of books) {
      const of = sums[currency] ?? {};
      expect([of.sales, of.refunds ?? 0, of.fees, of.bank ?? 0, of.gateway]).toEqual([
        -paid,
        refunded,
        fees,
        paid_out,
        balance,
      ]);
      expect(Object.values(of).reduce((sum, cents) => sum + cents, 0)).toBe(0);
    }
  });

  it("has the days of the business's time zone, and every kind", async () => {
    const [october, november] = await Promise.all([
      file({ what: "payments", from: "2026-10-01", to: "2026-10-31" }),
      file({ what: "payments", from: "2026-11-01", to: "2026-11-30" }),
    ]);
    expect(october).toMatchObject([{ date: "2026-10-31", amount: "10.5", fee: "0.4", net: "10.1", currency: "EUR" }]);
    expect(november).toMatchObject([
      { date: "2026-11-01", amount: "20", reference: "'=1+1", refunded: "5" },
      { date: "2026-11-30", amount: "1000", currency: "JPY" },
    ]);
    expect(november[0]?.payout_id).toMatch(/^po_/);
    expect(await file({ what: "refunds", from: "2026-11-01", to: "2026-11-30" })).toMatchObject([
      { kind: "refund", amount: "5", payment_id: november[0]?.payment_id },
    ]);
    expect(await file({ what: "fees", from: "2026-11-01", to: "2026-11-30" })).toHaveLength(2);
    const payouts = await file({ what: "payouts", from: "2026-11-01", to: "2027-12-31" });
    expect(payouts.map(({ currency, kind }) => [currency, kind]).sort()).toEqual([
      ["EUR", "payout"],
      ["JPY", "payout"],
    ]);
    expect(payouts[0]?.payout_id).toMatch(/^po_/);
  });

  it("and the rates begin a day at its first midnight, where clocks go back from 1:00", async () => {
    const { id } = await db.business.create({ data: { name: "Twice", timezone: "America/Havana" } });
    actor = actorOf(id);
    const first = new Date("2026-11-01T04:30:00Z"); // half an hour after the first midnight, and before the second
    const owned = { business_id: id, livemode: false, email: "ada@example.com", title: "Order", currency: "EUR" };
    const link = await db.paymentLink.create({
      data: { ...owned, id: newId("pl"), amount_cents: 1_050, created_at: first },
    });
    const mark = { method: "cash", paid_on: "2026-10-30", reference: null, note: null } as const;
    await clock.at(first, () => transaction(db, (tx) => markPaid(tx, actor, { ...link, _id: link.id }, mark)));
    for (const [day, count] of [
      ["2026-10-31", 0],
      ["2026-11-01", 1],
    ] as const) {
      expect(await file({ what: "payments", from: day, to: day }), day).toHaveLength(count);
      expect((await rates(db, actor, { from: day, to: day })).period.links, day).toHaveLength(count);
    }
  });

  it("of payments takes a reversed mark back on its own day", async () => {
    const { id } = await db.business.create({ data: { name: "By hand", timezone: "Europe/Berlin" } });
    const tenant = actorOf(id);
    const owned = { business_id: id, livemode: false, email: "ada@example.com", title: "Order", currency: "EUR" };
    const link = await db.paymentLink.create({ data: { ...owned, id: newId("pl"), amount_cents: 1_050 } });
    const mark = { method: "cheque", paid_on: "2026-11-01", reference: null, note: null } as const;
    const marked = await clock.at(new Date("2026-11-02T12:00:00Z"), () =>
      transaction(db, (tx) => markPaid(tx, tenant, { ...link, _id: link.id }, mark)),
    );
    await clock.at(new Date("2026-11-05T12:00:00Z"), () =>
      transaction(db, async (tx) => {
        const payment = await payments.get(tx, tenant, String(marked));
        expect(await reversePayment(tx, tenant, payment, "The cheque bounced")).toBe(true);
      }),
    );
    actor = tenant;
    const rows = await file({ what: "payments", from: "2026-11-01", to: "2026-11-30" });
    expect(rows.map(({ date, kind, amount, net, gateway }) => [date, kind, amount, net, gateway])).toEqual([
      ["2026-11-02", "payment", "10.5", "10.5", "manual"],
      ["2026-11-05", "payment_reversed", "-10.5", "-10.5", "manual"],
    ]);
  });

  it("reads along an index, a batch at a time", async () => {
    const few = await db.business.create({ data: { name: "Large" } });
    await db.$executeRawUnsafe(`
      INSERT INTO balance_entry (id, business_id, livemode, gateway_ref, type, amount_cents, fee_cents, net_cents, currency, recorded, created_at)
      SELECT 'bal_' || n, ${few.id}, false, 'x' || n, 'fee', -1, 0, -1, 'EUR', true, '2026-11-01'::timestamptz + n * interval '1 second'
        FROM generate_series(1, 6000) AS n`);
    await db.$executeRawUnsafe(`
      INSERT INTO posting (business_id, livemode, kind, balance_entry_id, debit, credit, amount_cents, currency, created_at)
      SELECT business_id, livemode, 'gateway_fee', id, 'fees', 'gateway', 1, 'EUR', created_at FROM balance_entry
       WHERE business_id = ${few.id}`);
    actor = actorOf(few.id);
    const rows = await file({ from: "2026-10-01", to: "2026-11-30" });
    expect(new Set(rows.map(({ posting_id }) => posting_id)).size).toBe(6000);
    // A file with few rows of a long period goes through it in batches, too.
    const spy = vi.spyOn(pool(), "query");
    expect(await file({ what: "payouts", from: "2026-10-01", to: "2026-11-30" })).toEqual([]);
    const statements = (spy.mock.calls as unknown[][]).filter(([sent]) => JSON.stringify(sent).includes("posting j"));
    spy.mockRestore();
    expect(statements.length).toBeGreaterThan(2);
  });
});

async function payInSandbox(
  { businessId, gateway }: Pick<StripeShop, "businessId" | "gateway">,
  amountCents: number,
  currency: string,
) {
  const [id, linkId, email] = [newId("pay"), newId("pl"), "ada@example.com"];
  const link = {
    business_id: businessId,
    livemode: false,
    id: linkId,
    email,
    title: "Order",
    amount_cents: amountCents,
  };
  await db.paymentLink.create({ data: { ...link, currency } });
  const shown = { amountCents, currency };
  const attempt = await beginAttempt({ id, linkId, shown, gateway, tokenizationId: null });
  if (!attempt) throw new Error("The link cannot be paid.");
  const card = { number: "4242424242424242", cvc: "123", expMonth: 12, expYear: 2098 };
  const request = { gatewayKey: id, startedAt: clock.now(), ...shown, card, merchant: "Shop", title: "Order", email };
  await settle(attempt, await gateway.pay({ ...request, returnPath: "/pay", about: aboutLink(linkId) }));
  return id;
}
