import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { insertPayment } from "@/tests/support/paid";
import { asOwner } from "@/tests/support/postgres";
import { until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { startSmtp } from "@/tests/support/smtp";

// The limits of live mails to payers (lib/outbox/mail/budget.ts), on a server that sends.

let rig: Rig;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  smtp = await startSmtp();
  const limits = { MAILS_PER_DAY: "5", MAILS_PER_RECIPIENT_PER_DAY: "3" };
  rig = await startRig({ ...limits, SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example" });
});
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
});

let merchant: Merchant;
beforeEach(async () => {
  smtp.delivered.length = 0;
  merchant = await createMerchant();
});

async function connectGateway({ businessId: business_id }: Merchant): Promise<void> {
  const id = newId("gwa");
  const account = { gateway: "stripe", external_id: `acct_${id}`, secrets: "", hint: "sk_live_0000…0000" };
  await db.gatewayAccount.create({ data: { id, business_id, livemode: true, ...account } });
}

const links = async (emails: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const email of emails) ids.push(await create(merchant.liveKey, "payment_links", { email, send_email: true }));
  return ids;
};
const strangers = (count: number) => Array.from({ length: count }, () => `${newId("usr").slice(4)}@example.com`);

const countOf = (status: string) => db.email.count({ where: { business_id: merchant.businessId, status } });

/** Waits until each mail is sent, dropped or delayed. */
const decided = () =>
  until(
    "a decision about each mail",
    async () =>
      (await db.email.count({
        where: { business_id: merchant.businessId, status: "queued", last_error: null },
      })) === 0,
  );

const timelineOf = async (id: string) =>
  (await call("GET", `/payment-links/${id}/timeline`, { key: merchant.liveKey })).json.data.map(({ text, detail }) => [
    text,
    detail,
  ]);

it("sends nothing in live mode before a gateway is connected, and says so", async () => {
  const [first = ""] = await links(strangers(4));
  await decided();
  expect(await countOf("dropped")).toBe(4);
  expect(smtp.delivered).toEqual([]);
  expect(await timelineOf(first)).toContainEqual([
    "“Payment link” not sent: no gateway is connected in live mode",
    null,
  ]);
});

it("delays what exceeds the business's limit, and sends more as payments arrive", async () => {
  await connectGateway(merchant);
  await links(strangers(8));
  await decided();
  expect([await countOf("sent"), await countOf("queued"), smtp.delivered.length]).toEqual([5, 3, 5]);
  const delayed = await db.email.findFirstOrThrow({ where: { business_id: merchant.businessId, status: "queued" } });
  expect((delayed.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await timelineOf(delayed.payment_link_id ?? "")).toContainEqual([
    `“Payment link” to ${delayed.to} queued`,
    "The business has reached its limit of e-mails in 24 hours.",
  ]);

  // A link whose mail is sent: the mail of a paid one would be dropped.
  const told = await db.email.findFirstOrThrow({ where: { business_id: merchant.businessId, status: "sent" } });
  await insertPayment({ _id: told.payment_link_id ?? "" });
  const sent = async () => {
    // Again and again: the worker remembers for a moment that the business is over its limit. A mail that it is sending is left alone.
    const isDelayed = { gt: new Date(Date.now() + 3_600_000) };
    const delayed = { business_id: merchant.businessId, status: "queued", next_attempt_at: isDelayed };
    await db.email.updateMany({ where: delayed, data: { next_attempt_at: new Date() } });
    return (await countOf("sent")) === 8;
  };
  await until("the other mails", sent);
});

it("limits the mails of a business to one recipient", async () => {
  await connectGateway(merchant);
  await links(Array(4).fill("Victim@example.com"));
  await decided();
  expect([await countOf("sent"), await countOf("queued")]).toEqual([3, 1]);
  await links(strangers(2)); // what the recipient's limit refused does not count for the business
  await until("the others", async () => (await countOf("sent")) === 5);
});

it("counts a mail that the mail server refuses for good", async () => {
  await connectGateway(merchant);
  smtp.behaviour.rcpt = () => ({ code: 550, text: "5.1.1 unknown" });
  await links(strangers(5));
  await decided();
  smtp.behaviour.rcpt = undefined;
  await links(strangers(1));
  await decided();
  expect([await countOf("failed"), await countOf("queued")]).toEqual([5, 1]);
});

it("drops what the limit delays for more than three days", async () => {
  await connectGateway(merchant);
  const ids = await links(strangers(6));
  await decided();
  const late = await db.email.findFirstOrThrow({ where: { business_id: merchant.businessId, status: "queued" } });
  const fourDaysAgo = new Date(Date.now() - 4 * 86_400_000);
  await db.email.update({
    where: { id: late.id },
    data: { created_at: fourDaysAgo, next_attempt_at: new Date(), last_error: null },
  });
  await decided();
  expect(ids).toContain(late.payment_link_id);
  expect(await db.email.findUniqueOrThrow({ where: { id: late.id } })).toMatchObject({
    status: "dropped",
    drop_reason: "over_limit",
  });
});

it("charges no new price before its mail is sent, and names a later date in a late mail", async () => {
  await connectGateway(merchant);
  const [email = "", other = ""] = strangers(2);
  const id = await create(merchant.liveKey, "subscriptions", { email });
  const subscription = async () =>
    (await call("GET", `/subscriptions/${id}`, { key: merchant.liveKey })).json.data as Record<string, unknown>;
  const { package_id, amount_cents: before } = await subscription();
  const [paid = ""] = await links(Array(3).fill(email)); // all that the recipient may get
  await insertPayment({ _id: paid }); // announcing prices may use only half of the business's limit
  await decided();
  const path = `/packages/${package_id}`;
  const { _id, ...pkg } = (await call("GET", path, { key: merchant.liveKey })).json.data;
  const body = { name: pkg.name, currency: pkg.currency, frequency: pkg.frequency, amount: "9900" };
  const asked = { ...body, existing_subscriptions: "new_price" };
  expect((await call("PUT", path, { key: merchant.liveKey, body: asked })).status).toBe(200);
  const mail = () => db.email.findFirst({ where: { subscription_id: id, template: "price_changing" } });
  await until("the delayed mail", async () => Boolean((await mail())?.last_error));

  // Four days later it is still delayed, and its date has passed.
  const again = { next_attempt_at: new Date(), last_error: null };
  const fourDaysAgo = new Date(Date.now() - 4 * 86_400_000);
  const mine = { where: { subscription_id: id, template: "price_changing" } };
  await db.subscription.update({ where: { id }, data: { announced_amount_from: new Date(Date.now() - 86_400_000) } });
  await db.email.updateMany({ ...mine, data: { ...again, created_at: fourDaysAgo } });
  await decided();
  expect(await mail()).toMatchObject({ status: "queued" });
  expect(await subscription()).toMatchObject({
    ...{ amount_cents: before, price_change: { amount_cents: 9900, told: false } },
  });

  await db.subscription.update({ where: { id }, data: { email: other } });
  await db.email.updateMany({ ...mine, data: again });
  await until("the announcement", async () => (await mail())?.status === "sent");
  const { amount_cents, price_change } = await subscription();
  const from = Date.parse(String((price_change as { from: string }).from));
  expect(amount_cents).toBe(before);
  expect(from).toBeGreaterThanOrEqual(Date.now() + 3 * 86_400_000 - 60_000);
  expect(smtp.delivered.at(-1)?.to).toEqual([other]);
});

/** A live subscription of 15.00 whose package gets new prices. */
async function priced() {
  await connectGateway(merchant);
  const { liveKey: key } = merchant;
  const body = { name: "Reading club", currency: "EUR", frequency: "monthly" };
  const created = await call("POST", "/packages", { key, body: { ...body, amount: "1500" } });
  const package_id = String(created.json.data._id);
  const [email = "", other] = strangers(2);
  const id = await create(key, "subscriptions", { email, package_id });
  await insertPayment({ _id: await create(key, "payment_links", { email: other, send_email: false }) });
  const mailsOf = (status: string) =>
    db.email.count({ where: { subscription_id: id, template: "price_changing", status } });
  return {
    id,
    email,
    key,
    read: async () => (await call("GET", `/subscriptions/${id}`, { key })).json.data as Record<string, unknown>,
    put: (amount: string, existing_subscriptions = "new_price") =>
      call("PUT", `/packages/${package_id}`, { key, body: { ...body, amount, existing_subscriptions } }),
    mails: (status: string, count: number) =>
      until(`${count} mails ${status}`, async () => (await mailsOf(status)) === count),
    repriced: () =>
      until("the repricing", async () => (await db.packageRepricing.count({ where: { package_id } })) === 0),
  };
}

it.each([
  [
    "the package is saved again with the new price",
    (put: () => Promise<unknown>, _resend: () => Promise<unknown>) => put(),
  ],
  ["the mail is sent again", (_put: () => Promise<unknown>, resend: () => Promise<unknown>) => resend()],
])("tells staff whom the mail about a new price did not reach, until %s", async (_, announceAgain) => {
  const { id, key, email, read, put, mails } = await priced();
  const untold = async () => {
    const { attention } = (await call("GET", "/reports/overview", { key })).json.data;
    return (attention as Row).untold_prices;
  };
  smtp.behaviour.rcpt = (address) => (address === email ? { code: 550, text: "5.1.1 unknown" } : undefined);
  await put("1700");
  await mails("failed", 1);
  smtp.behaviour.rcpt = undefined;
  expect(await read()).toMatchObject({ amount_cents: 1500, price_change: null });
  expect(await untold()).toBe(1);
  const listed = (await call("GET", "/subscriptions?untold_price=true", { key })).json.data;
  expect(listed).toMatchObject([{ _id: id }]);
  const failed = { subscription_id: id, status: "failed", template: "price_changing" };
  const mail = await db.email.findFirstOrThrow({ where: failed });
  const problems = (await call("GET", "/reports/problems", { key })).json.data as Row;
  expect(problems.untold_prices).toMatchObject([
    {
      subscription_id: id,
      email,
      package: "Reading club",
      amount_cents: 1700,
      mail: { _id: mail.id, status: "failed" },
    },
  ]);
  await announceAgain(
    () => put("1700"),
    () => call("POST", `/emails/${mail.id}/resend`, { key, body: {} }),
  );
  await mails("sent", 1);
  expect(await read()).toMatchObject({ amount_cents: 1500, price_change: { amount_cents: 1700, told: true } });
  expect(await untold()).toBe(0);
});

it("charges each period what its customer was told last, also while the next price waits", async () => {
  const { id, read, put, mails } = await priced();
  await put("1700");
  await mails("sent", 1);
  const { next_charge_at } = await read();
  // The period at 17.00 begins tomorrow. Another price has to be told three days before.
  const tomorrow = new Date(Date.now() + 86_400_000);
  await db.subscription.update({ where: { id }, data: { next_amount_from: tomorrow, next_charge_at: tomorrow } });
  await put("1800");
  await mails("queued", 1);
  await decided();
  expect(await read()).toMatchObject({
    ...{ amount_cents: 1500, next_charge_amount_cents: 1700 },
    price_change: { amount_cents: 1700, told: true },
  });
  const begun = new Date(Date.now() - 1_000);
  await db.subscription.update({
    where: { id },
    data: { next_amount_from: begun, next_charge_at: String(next_charge_at) },
  });
  const waiting = await db.email.findFirstOrThrow({ where: { subscription_id: id, status: "queued" } });
  expect(waiting).toMatchObject({ next_attempt_at: tomorrow, last_error: expect.stringContaining("begin first") });
  expect(await read()).toMatchObject({ amount_cents: 1700, price_change: { amount_cents: 1800, told: false } });
  await db.email.update({ where: { id: waiting.id }, data: { next_attempt_at: new Date() } });
  await mails("sent", 2);
  expect(await read()).toMatchObject({ amount_cents: 1700, price_change: { amount_cents: 1800, told: true } });
  expect(smtp.delivered.at(-1)?.mail.text).toContain("17.00");
});

it("tells a customer who was told of a lower price that it does not come", async () => {
  const { read, put, mails } = await priced();
  await put("1000");
  await mails("sent", 1);
  await put("1500");
  await mails("sent", 2);
  expect(await read()).toMatchObject({ amount_cents: 1500, price_change: { amount_cents: 1500, told: true } });
  const text = smtp.delivered.at(-1)?.mail.text?.replace(/\s+/g, " ");
  expect(text).toMatch(/Price until then:? €15\.00 .*New price:? €15\.00 /);
});

it("forgets a price that waits when the one that was told last is asked for again", async () => {
  const { id, put, mails, repriced } = await priced();
  await put("1700");
  await mails("sent", 1);
  const tomorrow = new Date(Date.now() + 86_400_000);
  await db.subscription.update({ where: { id }, data: { next_amount_from: tomorrow, next_charge_at: tomorrow } });
  await put("1800");
  await mails("queued", 1);
  await put("1700");
  await repriced();
  expect(await db.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
    ...{ amount_cents: 1500, next_amount_cents: 1700, announced_amount_cents: null },
  });
});

it("sends no mail about a price that was withdrawn while the mail waited, and keeps one that was sent", async () => {
  const { id, read, put, mails, repriced } = await priced();
  smtp.behaviour.data = () => ({ code: 451, text: "4.3.0 try later" });
  await put("1700");
  await mails("queued", 1);
  await decided();
  await put("1600", "keep_price");
  await repriced();
  await put("1700", "keep_price"); // for new subscriptions
  smtp.behaviour.data = undefined;
  expect(await read()).toMatchObject({ price_change: null });
  await db.email.updateMany({
    where: { subscription_id: id, status: "queued" },
    data: { next_attempt_at: new Date() },
  });
  await mails("dropped", 1);
  expect(await read()).toMatchObject({ amount_cents: 1500, price_change: null });
});

it("takes a new price back without a mail when it becomes what the customer pays now", async () => {
  const { read, put, mails, repriced } = await priced();
  await put("1700");
  await mails("sent", 1);
  await put("1500");
  await repriced();
  expect(await read()).toMatchObject({ amount_cents: 1500, price_change: null });
  await mails("sent", 1);
  await mails("queued", 0);
});

it("leaves half of the business's limit to other mails while it announces prices", async () => {
  await connectGateway(merchant);
  const { liveKey: key } = merchant;
  const body = { name: "Reading club", currency: "EUR", frequency: "monthly" };
  const package_id = String(
    (await call("POST", "/packages", { key, body: { ...body, amount: "1500" } })).json.data._id,
  );
  for (const email of strangers(4)) await create(key, "subscriptions", { email, package_id });
  const requests = () => db.email.count({ where: { business_id: merchant.businessId, template: "payment_link" } });
  await until("the requests to pay", async () => (await requests()) === 4);
  await decided(); // else the worker counts one after its count was removed
  // Only the announcements count.
  await asOwner(`DELETE FROM email WHERE business_id = ${merchant.businessId}`);
  await asOwner(`DELETE FROM rate_limit WHERE key = 'mails_business:${merchant.businessId}'`);
  await call("PUT", `/packages/${package_id}`, {
    key,
    body: { ...body, amount: "1700", existing_subscriptions: "new_price" },
  });
  const announcements = () =>
    db.email.count({ where: { business_id: merchant.businessId, template: "price_changing" } });
  await until("the announcements", async () => (await announcements()) === 4);
  await decided();
  expect([await countOf("sent"), await countOf("queued")]).toEqual([2, 2]);
  await links(strangers(3));
  await until("other mails", async () => (await countOf("sent")) === 5);
});

it("keeps test mode and mails to the staff as they are", async () => {
  for (const email of strangers(6)) await create(merchant.key, "payment_links", { email });
  await until("the outbox", async () => (await countOf("outbox")) === 6);
});
