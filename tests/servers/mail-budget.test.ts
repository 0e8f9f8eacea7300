import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { insertPayment } from "@/tests/support/paid";
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
}, 120_000);
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
}, 60_000);

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
    20,
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
  const ids = await links(strangers(8));
  await decided();
  expect([await countOf("sent"), await countOf("queued"), smtp.delivered.length]).toEqual([5, 3, 5]);
  const delayed = await db.email.findFirstOrThrow({ where: { business_id: merchant.businessId, status: "queued" } });
  expect((delayed.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect(await timelineOf(delayed.payment_link_id ?? "")).toContainEqual([
    `“Payment link” to ${delayed.to} queued`,
    "The business has reached its limit of e-mails in 24 hours.",
  ]);

  const paid = ids.find((id) => id !== delayed.payment_link_id) ?? "";
  await insertPayment({ _id: paid });
  const ofBusiness = { business_id: merchant.businessId, status: "queued" };
  await db.email.updateMany({ where: ofBusiness, data: { next_attempt_at: new Date(), last_error: null } });
  await until("the other mails", async () => (await countOf("sent")) === 8, 20);
});

it("limits the mails of a business to one recipient", async () => {
  await connectGateway(merchant);
  await links(Array(4).fill("Victim@example.com"));
  await decided();
  expect([await countOf("sent"), await countOf("queued")]).toEqual([3, 1]);
  await links(strangers(2)); // what the recipient's limit refused does not count for the business
  await until("the others", async () => (await countOf("sent")) === 5, 20);
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

it("keeps test mode and mails to the staff as they are", async () => {
  for (const email of strangers(6)) await create(merchant.key, "payment_links", { email });
  await until("the outbox", async () => (await countOf("outbox")) === 6, 20);
});
