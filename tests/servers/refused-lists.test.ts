import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { bill } from "@/lib/billing/run";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Gateway } from "@/lib/gateways/gateway";
import { restoreAccount } from "@/lib/ledger/account-health";
import { assertCompared, compareAccount, compareAccounts } from "@/lib/ledger/compare";
import { gatewayFor } from "@/lib/ledger/gateways";
import { gatewayAccountInput } from "@/lib/resources/gateway-accounts/contract";
import { connectGatewayAccount } from "@/lib/resources/gateway-accounts/service";
import { sealToken } from "@/lib/resources/tokenizations/resource";
import { payerTexts } from "@/messages/payer/texts";
import { actorOf } from "@/tests/bench/scale";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { pay } from "@/tests/support/payer";
import { createStaff } from "@/tests/support/sign-in";
import { connectStripe, startWithStripe } from "@/tests/support/stripe-merchant";

// A restricted key that may take payments, but not list what Paydesk compares with the ledger before it moves money.
const fake = await startWithStripe();
afterAll(() => fake.close());

let merchant: Merchant;
let tenant: { business_id: number; livemode: boolean };
let accountId: string;
beforeAll(async () => {
  merchant = await createMerchant();
  tenant = { business_id: merchant.businessId, livemode: false };
});
beforeEach(async () => {
  accountId = await connectStripe(merchant.businessId, fake.account().secretKey);
});

const gateway = async (): Promise<Gateway> => {
  const found = await gatewayFor({ ...tenant, gateway_account_id: accountId });
  if (!found) throw new Error("There is no gateway.");
  return found;
};
const forbid = (path: RegExp) => fake.fault({ method: "GET", path, kind: "key_forbidden", share: 1 });
const compareInJob = () => compareAccounts(new AbortController().signal);
const readAccount = () => db.gatewayAccount.findUniqueOrThrow({ where: { id: accountId } });
const countEvents = (type: string) => db.event.count({ where: { resource_id: accountId, type } });
const working = { broken_at: null, refused_calls: [] };
const countLists = () =>
  fake.requests.filter(({ method, path }) => method === "GET" && /(sessions|intents|refunds)$/.test(path)).length;

/**
 * Connects another Stripe account, like the API and the dashboard. It must fail, and the one before must stay in use.
 * @param heal ends the faults that make it fail
 */
async function refusalToConnect(...heal: (() => void)[]): Promise<unknown> {
  const input = gatewayAccountInput.parse({ secret_key: fake.account().secretKey });
  const error = await connectGatewayAccount(actorOf(merchant.businessId), input).then(
    () => null,
    (error: unknown) => error,
  );
  for (const end of heal) end();
  const inUse = { where: { business_id: merchant.businessId, replaced_at: null } };
  expect((await db.gatewayAccount.findMany(inUse)).map(({ id }) => id)).toEqual([accountId]);
  return error;
}

it.each([
  ["Checkout Sessions", [/\/checkout\/sessions$/]],
  ["Customers", [/\/customers$/]],
  ["PaymentIntents", [/\/payment_intents$/]],
  ["Refunds", [/\/refunds$/]],
  ["Charges", [/\/charges$/]],
  ["Disputes", [/\/disputes$/]],
  ["SetupIntents", [/\/setup_intents$/]],
  ["PaymentIntents and Refunds", [/\/payment_intents$/, /\/refunds$/]],
])("is not connected with a key that may not list %s", async (permissions, paths) => {
  const error = await refusalToConnect(...paths.map(forbid));
  const message = expect.stringContaining(`Stripe does not let this key list ${permissions}. In Stripe, give the key`);
  expect(error).toMatchObject({ errors: { secret_key: [message] } });
});

it("is not connected while Stripe fails to list, and the key is not blamed", async () => {
  const failing = fake.fault({ method: "GET", path: /\/refunds$/, kind: "error_500", share: 1 });
  const error = await refusalToConnect(failing);
  expect(error).toMatchObject({ code: "gateway_away", status: 503 });
});

it.each([
  ["open pages", /\/checkout\/sessions$/, "chargesSince"],
  ["payment intents", /\/payment_intents$/, "chargesSince"],
  ["refunds", /\/refunds$/, "refundsSince"],
])("marks the account as broken while its key may not list %s, and its owners get one mail", async (_, path, call) => {
  const { email: to } = await createStaff(merchant);
  const heal = forbid(path);
  await assertCompared(await gateway()).catch(() => undefined);
  await compareAccount(accountId).catch(() => undefined);
  heal();
  expect(await readAccount()).toMatchObject({ broken_at: expect.any(Date), refused_calls: [call] });
  expect(await db.email.count({ where: { to, template: "account_broken" } })).toBe(1);
  expect(await countEvents("gateway_account.broken")).toBe(1);
  await compareAccount(accountId);
  expect(await readAccount()).toMatchObject(working);
  expect(await countEvents("gateway_account.restored")).toBe(1);
  await assertCompared(await gateway());
});

it("stays broken, with one mail, while its key gets one permission after the other", async () => {
  const { email: to } = await createStaff(merchant);
  const heal = [forbid(/\/payment_intents$/), forbid(/\/refunds$/)];
  for (const [permissions, refused_calls] of [
    [0, ["chargesSince"]],
    [1, ["chargesSince", "refundsSince"]],
  ] as const) {
    for (const give of heal.splice(0, permissions)) give();
    await compareAccount(accountId).catch(() => undefined);
    expect(await readAccount()).toMatchObject({ broken_at: expect.any(Date), refused_calls });
    expect(await countEvents("gateway_account.restored")).toBe(0);
  }
  expect(await db.email.count({ where: { to, template: "account_broken" } })).toBe(1);
  for (const give of heal) give();
  await compareAccount(accountId);
  expect(await readAccount()).toMatchObject(working);
  expect(await countEvents("gateway_account.restored")).toBe(1);
});

it("is not marked once another account is in use: only the comparison still needs it", async () => {
  const { email: to } = await createStaff(merchant);
  const replaced = accountId;
  accountId = await connectStripe(merchant.businessId, fake.account().secretKey);
  const heal = forbid(/\/refunds$/);
  await compareAccount(replaced).catch(() => undefined);
  heal();
  expect(await db.gatewayAccount.findUniqueOrThrow({ where: { id: replaced } })).toMatchObject(working);
  expect(await db.email.count({ where: { to, template: "account_broken" } })).toBe(0);
});

it("is not listed again by each run of the job, but at once after staff have connected it again", async () => {
  const heal = forbid(/\/refunds$/);
  await compareInJob();
  const before = countLists();
  await compareInJob();
  expect(countLists()).toBe(before);
  heal();
  await restoreAccount(accountId);
  await compareInJob();
  expect(countLists()).toBe(before + 3);
});

it("is listed again by a process that has compared it, after another process was refused", async () => {
  await compareInJob();
  const since = new Date(Date.now() - 60_000);
  await db.gatewayAccount.update({
    where: { id: accountId },
    data: { broken_at: since, probed_at: since, refused_calls: ["refundsSince"] },
  });
  await compareInJob();
  expect(await readAccount()).toMatchObject(working);
});

it("moves no money meanwhile: a payer reads that the merchant cannot take it, a system gets 409", async () => {
  const order = { email: "ada@example.com", currency: "EUR", amount_cents: 1050, title: "Order", language: "en" };
  const { id: link } = await db.paymentLink.create({ data: { ...tenant, ...order, id: newId("pl") } });
  const heal = forbid(/\/refunds$/);
  const refused = await pay(link, "");
  expect([refused.status, refused.text]).toEqual([
    402,
    expect.stringContaining(payerTexts.en.declines.gateway_refused),
  ]);
  const before = countLists();
  await expect(assertCompared(await gateway())).rejects.toMatchObject({ code: "account_refused", status: 409 });
  expect(countLists()).toBe(before); // one comparison in some seconds, however many payers try
  expect(await db.payment.count({ where: { payment_link_id: link } })).toBe(0);
  heal();
  await compareAccount(accountId);
  expect(await pay(link, "")).toMatchObject({ status: 303, location: expect.stringContaining("go=1") });
});

it("bills as without a card: the payer is asked to pay, and the job does not fail", async () => {
  const card = newId("tkn");
  const email = "ada@example.com";
  await db.tokenization.create({
    data: {
      ...{ ...tenant, id: card, email, title: "Card", description: "Card", ...sealToken(card, card), status: "active" },
      ...{ expires_at: new Date(), activated_at: new Date(), gateway: "stripe", gateway_account_id: accountId },
      ...{ gateway_card: "cus_0/pm_0", card_brand: "visa", card_last4: "4242" },
      ...{ card_exp_month: 12, card_exp_year: 2040 },
    },
  });
  const [packageId, id] = [newId("pkg"), newId("sub")];
  const price = { amount_cents: 1050, currency: "EUR", frequency: "monthly" };
  await db.package.create({ data: { ...tenant, ...price, id: packageId, name: "Reading club" } });
  const hourAgo = new Date(Date.now() - 3_600_000);
  const calendar = { anchor: hourAgo.toISOString().slice(0, 19), timezone: "UTC", next_charge_at: hourAgo };
  await db.subscription.create({ data: { ...tenant, ...calendar, id, package_id: packageId, email } });
  const heal = forbid(/\/refunds$/);
  await bill(id);
  heal();
  const period = await db.paymentLink.findFirstOrThrow({ where: { subscription_id: id } });
  expect(period).toMatchObject({ status: "Active", next_step_at: expect.any(Date) });
  expect(await db.payment.count({ where: { payment_link_id: period.id } })).toBe(0);
  const asked = { resource_id: period.id, type: "payment_link.awaiting_payer" };
  expect(await db.event.count({ where: asked })).toBe(1);
});
