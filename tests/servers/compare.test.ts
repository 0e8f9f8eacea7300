import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { findBillingState } from "@/lib/billing/billing-state";
import { db } from "@/lib/core/db";
import { firstIdAt, newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { disconnectAccount, findAccount } from "@/lib/gateways/accounts";
import type { About, Gateway } from "@/lib/gateways/gateway";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { adoptCharges } from "@/lib/ledger/adopt";
import { beginAttempt } from "@/lib/ledger/attempt";
import { compareBalances } from "@/lib/ledger/balance-check";
import { checkBooks, compareWithGateways } from "@/lib/ledger/books";
import { assertCompared, compareAccount } from "@/lib/ledger/compare";
import type { Comparison } from "@/lib/ledger/comparison";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import { gatewayFor } from "@/lib/ledger/gateways";
import { findPayable } from "@/lib/payer/payable";
import { aboutLink } from "@/tests/support/about";
import { command } from "@/tests/support/command";
import { countEntries } from "@/tests/support/entries-read";
import { createMerchant } from "@/tests/support/factory";
import { idMadeAt } from "@/tests/support/id-made-at";
import { asOwner } from "@/tests/support/postgres";
import { connectStripe, loseKey, startWithStripe } from "@/tests/support/stripe-merchant";

// What a restored database does not know is made here by Stripe's driver alone, without the ledger.
const fake = await startWithStripe();
afterAll(() => fake.close());

const shown = { amountCents: 1050, currency: "EUR" };
let tenant: { business_id: number; livemode: boolean };
let accountId: string;
let secretKey: string;
beforeAll(async () => {
  tenant = { business_id: (await createMerchant()).businessId, livemode: false };
});
beforeEach(async () => {
  secretKey = fake.account().secretKey;
  accountId = await connectStripe(tenant.business_id, secretKey);
});

const gateway = async (id = accountId): Promise<Gateway> => {
  const found = await gatewayFor({ ...tenant, gateway_account_id: id });
  if (!found) throw new Error("There is no gateway.");
  return found;
};

async function makeLink(over: object = {}): Promise<string> {
  const link = { id: newId("pl"), email: "ada@example.com", currency: "EUR", amount_cents: 1050, title: "Order" };
  return (await db.paymentLink.create({ data: { ...tenant, ...link, ...over } })).id;
}

/** Opens Stripe's page for a link, as a lost attempt did. */
async function openPage(
  linkId: string,
  by?: Gateway,
  key = newId("pay"),
  about: About = aboutLink(linkId),
): Promise<{ key: string; page: string }> {
  const request = { gatewayKey: key, startedAt: new Date(), ...shown, card: null, merchant: "Books", title: "Order" };
  const to = { about, email: "ada@example.com", returnPath: "/pay" as const };
  const result = await (by ?? (await gateway())).pay({ ...request, ...to });
  if (result.outcome !== "action") throw new Error(`ended as ${result.outcome}`);
  return { key, page: result.ref };
}

const payPage = (page: string) => fake.payer.complete(page, { number: "4242424242424242" });

async function payLost(linkId: string): Promise<string> {
  const { key, page } = await openPage(linkId);
  payPage(page);
  return key;
}

async function refundLost(chargeRef: string | null): Promise<void> {
  const money = { chargeRef: chargeRef ?? "", amountCents: 400, currency: "EUR" };
  await (await gateway()).refund({ gatewayKey: newId("ref"), startedAt: new Date(), ...money });
}

const statusOf = async (id: string) => (await db.paymentLink.findUniqueOrThrow({ where: { id } })).status;
const stored = (key: string) => db.unknownCharge.findUnique({ where: { gateway_key: key } });

it("gives a lost charge its payment, with its journal and event, but no second receipt", async () => {
  const link = await makeLink();
  const key = await payLost(link);
  await compareAccount(accountId);
  expect(await statusOf(link)).toBe("Paid");
  expect(await stored(key)).toMatchObject({ status: "adopted", payment_link_id: link, problem: null });
  const payment = await db.payment.findUniqueOrThrow({ where: { id: key } });
  expect(payment).toMatchObject({ status: "succeeded", payment_link_id: link, amount_cents: 1050, card_last4: "4242" });
  expect(await db.event.count({ where: { resource_id: key, type: "payment.succeeded" } })).toBe(1);
  expect(await db.email.count({ where: { payment_link_id: link, template: "receipt" } })).toBe(0);
  await compareAccount(accountId);
  expect(await db.payment.count({ where: { payment_link_id: link } })).toBe(1);
  expect((await checkBooks()).imbalances).toEqual([]);
});

it("compares as soon as the key works again, and not only after a pause", async () => {
  const link = await makeLink();
  await payLost(link);
  const putBack = await loseKey(accountId);
  await assertCompared(await gateway()); // the gateway refuses the payment itself
  await putBack();
  await assertCompared(await gateway());
  expect(await statusOf(link)).toBe("Paid");
});

it("names what it cannot match, blocks that link, and reports it with the books until staff have seen it", async () => {
  const [dearer, lost] = [await makeLink({ amount_cents: 2000 }), newId("pl")];
  const [first, second] = [await payLost(dearer), await payLost(lost)];
  await compareAccount(accountId);
  expect(await stored(first)).toMatchObject({ status: "open", problem: "amount_differs" });
  expect(await stored(second)).toMatchObject({ status: "open", problem: "link_unknown" });
  const begin = async () => {
    const money = { amountCents: 2000, currency: "EUR" };
    const how = { id: newId("pay"), linkId: dearer, shown: money, gateway: await gateway(), tokenizationId: null };
    return beginAttempt(how);
  };
  expect(await begin()).toBeNull();
  const lines = (await compareWithGateways(1)).differences.filter((line) => line.startsWith(accountId));
  expect(lines.map((line) => line.split("for ")[1]).sort()).toEqual(
    [`link ${dearer}, payment ${first}`, `link ${lost}, payment ${second}`].sort(),
  );
  const { code, stderr } = await command("books", ["--ask-gateways", "1"], { env: { LOG_LEVEL: "silent" } });
  expect([code, stderr.includes(`link ${lost}, payment ${second}`)]).toEqual([1, true]);
  await db.unknownCharge.updateMany({
    where: { gateway_account_id: accountId },
    data: { status: "acknowledged", resolved_at: new Date() },
  });
  expect((await compareWithGateways(1)).differences.filter((line) => line.startsWith(accountId))).toEqual([]);
  expect(await begin()).not.toBeNull();
  await asOwner(`DELETE FROM payment WHERE payment_link_id = '${dearer}'`);
  await db.paymentLink.update({ where: { id: dearer }, data: { status: "Active" } });
});

it("closes pages that a lost attempt has opened", async () => {
  const link = await makeLink();
  const { key, page } = await openPage(link);
  await compareAccount(accountId);
  expect(payPage(page).status).toBe("closed");
  expect([await stored(key), await statusOf(link)]).toEqual([null, "Active"]);
});

it("leaves alone what another Paydesk does with the same Stripe account", async () => {
  const keys = await findAccount(accountId);
  if (!keys) throw new Error("There is no account.");
  const theirs = stripeGateway({ ...keys, id: newId("gwa") });
  const open = await openPage(newId("pl"), theirs);
  const paid = await openPage(newId("pl"), theirs);
  payPage(paid.page);
  await compareAccount(accountId);
  expect([await stored(open.key), await stored(paid.key)]).toEqual([null, null]);
  expect(payPage(open.page).status).not.toBe("closed");
});

it("does not let an account block another business's link or subscription by naming it", async () => {
  const theirs = { business_id: (await createMerchant("Another shop")).businessId, livemode: false };
  const { id: linkId } = await db.paymentLink.create({
    data: { ...theirs, id: newId("pl"), email: "ada@example.com", currency: "EUR", amount_cents: 1050, title: "Order" },
  });
  const packageId = newId("pkg");
  await db.package.create({
    data: { ...theirs, id: packageId, name: "Box", amount_cents: 1050, currency: "EUR", frequency: "monthly" },
  });
  const subscription = await db.subscription.create({
    data: {
      ...theirs,
      id: newId("sub"),
      package_id: packageId,
      email: "ada@example.com",
      anchor: "2026-01-31T00:00:00",
      timezone: "UTC",
    },
  });
  const about = { linkId, subscriptionId: subscription.id, periodIndex: 0, reference: null };
  const { key, page } = await openPage(linkId, undefined, newId("pay"), about);
  payPage(page);
  await compareAccount(accountId);
  expect(await stored(key)).toMatchObject({ business_id: tenant.business_id, status: "open", payment_link_id: linkId });
  expect((await findPayable(linkId))?.status).toBe("Active");
  const sandbox = await gatewayFor({ ...theirs, gateway_account_id: null });
  if (!sandbox) throw new Error("Test mode has the sandbox.");
  expect(await findBillingState(subscription.id)).toMatchObject({ unknown_charges: false });
  expect(
    await beginAttempt({ id: newId("pay"), linkId, shown, gateway: sandbox, tokenizationId: null }),
  ).not.toBeNull();
});

it("waits for another attempt on the link, then adopts", async () => {
  const link = await makeLink({ status: "Processing" });
  const row = { payment_link_id: link, gateway: "stripe", amount_cents: 1050, currency: "EUR", status: "unknown" };
  const open = newId("pay");
  const attempt = { id: open, gateway_key: open, gateway_account_id: accountId };
  await db.payment.create({ data: { ...tenant, ...row, ...attempt } });
  const key = await payLost(link);
  await compareAccount(accountId);
  expect(await stored(key)).toMatchObject({ status: "open", problem: "link_processing" });
  await db.payment.update({ where: { id: open }, data: { status: "failed", reason: "abandoned" } });
  await db.paymentLink.update({ where: { id: link }, data: { status: "Active" } });
  await compareAccount(accountId);
  expect([await statusOf(link), (await stored(key))?.status]).toEqual(["Paid", "adopted"]);
});

it("imports a first refund that was lost, and does not mail its payer again", async () => {
  const link = await makeLink();
  const key = await payLost(link);
  await compareAccount(accountId);
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id: key } });
  await refundLost(gateway_ref);
  await compareAccount(accountId);
  expect(await db.payment.findUniqueOrThrow({ where: { id: key } })).toMatchObject({ refunded_cents: 400 });
  const mails = () => db.email.count({ where: { payment_link_id: link, template: "refund" } });
  expect(await mails()).toBe(0);
  expect(await db.event.count({ where: { payment_link_id: link, type: "payment.refunded" } })).toBe(1);
  // One that was made in Stripe's dashboard has not been mailed.
  await fake.client(secretKey).refunds.create({ payment_intent: String(gateway_ref), amount: 100 });
  await compareAccount(accountId);
  expect(await db.payment.findUniqueOrThrow({ where: { id: key } })).toMatchObject({ refunded_cents: 500 });
  expect(await mails()).toBe(1);
});

it("settles a payment that is open here and was refunded in the lost time, and imports the refund", async () => {
  const [linkId, key] = [await makeLink(), newId("pay")];
  await beginAttempt({ id: key, linkId, shown, gateway: await gateway(), tokenizationId: null });
  payPage((await openPage(linkId, undefined, key)).page);
  const chargeRef = fake.charges().find(({ metadata }) => metadata.paydesk_payment === key)?.paymentIntent ?? null;
  await refundLost(chargeRef);
  await compareAccount(accountId);
  const payment = await db.payment.findUniqueOrThrow({ where: { id: key } });
  expect(payment).toMatchObject({ status: "succeeded", refunded_cents: 400 });
});

it("settles a payment that is open here and was disputed days ago, and imports the dispute", async () => {
  const [linkId, key] = [await makeLink(), newId("pay")];
  await beginAttempt({ id: key, linkId, shown, gateway: await gateway(), tokenizationId: null });
  fake.payer.complete((await openPage(linkId, undefined, key)).page, { number: "4000000000000259" });
  await sweepDisputes(new AbortController().signal);
  const payment = await db.payment.findUniqueOrThrow({ where: { id: key } });
  expect(payment).toMatchObject({ status: "succeeded", disputed_cents: 1050, dispute_status: "needs_response" });
});

it("imports the refunds and disputes of a charge that is adopted only later", async () => {
  const refunded = await makeLink({ amount_cents: 2000 });
  const disputed = await makeLink({ amount_cents: 2000 });
  const key = await payLost(refunded);
  const { key: other, page } = await openPage(disputed);
  fake.payer.complete(page, { number: "4000000000000259" });
  await compareAccount(accountId);
  const charge = await stored(key);
  expect(charge).toMatchObject({ problem: "amount_differs" });
  await refundLost(charge?.gateway_ref ?? null);
  await db.paymentLink.updateMany({ where: { id: { in: [refunded, disputed] } }, data: { amount_cents: 1050 } });
  expect(await adoptCharges({ accountId })).toBe(2);
  expect(await db.payment.findUniqueOrThrow({ where: { id: key } })).toMatchObject({ refunded_cents: 400 });
  expect(await db.payment.findUniqueOrThrow({ where: { id: other } })).toMatchObject({ disputed_cents: 1050 });
  expect((await checkBooks()).imbalances).toEqual([]);
});

it("compares an account once, with three requests, and again when its mark or its database is another one", async () => {
  const asked = () => fake.requests.filter(({ method, path }) => method === "GET" && /s$/.test(path)).length;
  const compared = async () => {
    const before = asked();
    await assertCompared(await gateway());
    return asked() - before;
  };
  expect(await compared()).toBe(3);
  expect(await compared()).toBe(0);
  const { compared_until } = await db.gatewayAccount.findUniqueOrThrow({ where: { id: accountId } });
  expect(Date.now() - compared_until.getTime()).toBeLessThan(60_000);
  const earlier = new Date(compared_until.getTime() - 1);
  await db.gatewayAccount.update({ where: { id: accountId }, data: { compared_until: earlier } });
  expect(await compared()).toBe(3);
  const now = await gateway();
  const other = { ...now, mark: now.mark && { ...now.mark, database: "another" } };
  const before = asked();
  await assertCompared(other);
  expect(asked() - before).toBe(3);
});

it("is not disturbed by a change of the account's row meanwhile", async () => {
  const now = await gateway();
  const waiting = () =>
    db.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%compared_until = greatest%'`;
  let comparison: Promise<unknown> = Promise.resolve();
  await db.$transaction(async (tx) => {
    await tx.gatewayAccount.update({ where: { id: accountId }, data: { hint: "sk_test_changed" } });
    comparison = assertCompared(now).catch((error: unknown) => error);
    await expect.poll(async () => (await waiting())[0]?.count).toBe(1);
  });
  expect(await comparison).toBeUndefined();
});

const linesOf = ({ differences, unchecked }: Comparison) =>
  [...differences, ...unchecked].filter((line) => line.includes(accountId));

it("names a replaced account whose key was deleted once, apart from the differences", async () => {
  await payLost(await makeLink());
  await compareAccount(accountId);
  await disconnectAccount(tenant.business_id, tenant.livemode);
  const putBack = await loseKey(accountId);
  const found = await compareBalances(await compareWithGateways(1));
  await putBack();
  expect(found.isComplete).toBe(true);
  expect(found.differences.filter((line) => line.includes(accountId))).toEqual([]);
  expect(linesOf(found)).toEqual([expect.stringMatching(/: The gateway refused the account's key/)]);
});

it("is incomplete when a call to an account in use fails", async () => {
  const key = await payLost(await makeLink());
  await compareAccount(accountId);
  const { gateway_ref } = await db.payment.findUniqueOrThrow({ where: { id: key } });
  const heal = fake.fault({ method: "GET", kind: "error_500", share: 1, path: new RegExp(String(gateway_ref)) });
  const found = await compareWithGateways(1);
  heal();
  expect(found).toMatchObject({ isComplete: false, hasAllAccounts: true, failedPayments: 1 });
  expect([...found.unchecked].filter((line) => line.startsWith(key))).toHaveLength(1);
  expect(found.differences.filter((line) => line.startsWith(key))).toEqual([]);
  const putBack = await loseKey(accountId);
  expect(await compareWithGateways(1)).toMatchObject({ isComplete: false, hasAllAccounts: false });
  await putBack();
});

it("looks up the payments since then, and those adopted since then under older ids, and reads no others", async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const key = idMadeAt("pay", ago(40));
  const link = await makeLink();
  payPage((await openPage(link, undefined, key)).page);
  await compareAccount(accountId);
  expect(await statusOf(link)).toBe("Paid");
  await db.payment.updateMany({ where: { id: key }, data: { refunded_cents: 400 } });
  const linesAbout = async () => (await compareWithGateways(1)).differences.filter((line) => line.startsWith(key));
  expect(await linesAbout()).toEqual([`${key}: 400 refunded here, 0 there`]);
  await db.payment.updateMany({ where: { id: key }, data: { refunded_cents: 0 } });
  await db.unknownCharge.updateMany({ where: { status: "adopted" }, data: { resolved_at: ago(3) } });
  await asOwner(`
    INSERT INTO payment (id, gateway_key, business_id, livemode, payment_link_id, gateway, amount_cents, currency, status, reason,
                         started_at)
    SELECT id, id, ${tenant.business_id}, false, '${link}', 'sandbox', 1050, 'EUR', 'failed', 'declined', now() - interval '60 days'
      FROM (SELECT '${firstIdAt("pay", ago(60))}' || lpad(n::text, 26, '0') AS id FROM generate_series(1, 20000) AS n) AS old;
    ANALYZE payment`);
  const read = await countEntries(["payment"], () => compareWithGateways(1), "auto");
  expect(read).toBeLessThan(2000);
});

it("refuses while the gateway is away, without asking it for each request", async () => {
  const heal = fake.fault({ method: "GET", kind: "error_500", share: 1 });
  const refused = { code: "gateway_away", status: 503, headers: { "Retry-After": "10" } };
  await expect(assertCompared(await gateway())).rejects.toMatchObject(refused);
  const before = fake.requests.length;
  await expect(assertCompared(await gateway())).rejects.toMatchObject(refused);
  expect(fake.requests.length).toBe(before);
  heal();
  await compareAccount(accountId);
  await assertCompared(await gateway());
});

it("still charges through a compared account while it cannot be compared again, and does not log otherwise", async () => {
  await assertCompared(await gateway());
  const heal = fake.fault({ method: "GET", kind: "error_500", share: 1 });
  const logged = vi.spyOn(log, "error").mockReturnValue(undefined);
  await expect(compareAccount(accountId)).rejects.toThrow();
  const lines = logged.mock.calls.map(([, text]) => text);
  logged.mockRestore();
  await assertCompared(await gateway());
  heal();
  expect(lines).toEqual(["a gateway account could not be compared"]);
});
