import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { mailProps } from "@/tests/support/mails";
import { asOwner } from "@/tests/support/postgres";
import { until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { createStaff } from "@/tests/support/sign-in";
import { manyMails, startSmtp } from "@/tests/support/smtp";

// A server and a database of its own: the one that the other files share has no mail server.

let rig: Rig;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
beforeAll(async () => {
  smtp = await startSmtp();
  rig = await startRig({ ...manyMails, SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example" });
});
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
});
let busy: Merchant;
let small: Merchant;
beforeEach(async () => {
  smtp.delivered.length = 0;
  smtp.behaviour.slow = 30;
  [busy, small] = await Promise.all([createMerchant("Busy"), createMerchant("Small")]);
});

const anHour = 3_600_000;
/** All that waits is due now, in one moment. */
const release = () =>
  db.email.updateMany({ where: { status: "queued" }, data: { next_attempt_at: new Date(Date.now() - 1_000) } });

/** So many mails of a business's, due in an hour. */
async function queue({ businessId }: Merchant, count: number, to: string, staff = false): Promise<void> {
  const template = staff ? "api_key_expiring" : "receipt"; // mails that are never dropped
  await db.email.createMany({
    data: Array.from({ length: count }, () => ({
      id: newId("eml"),
      business_id: businessId,
      livemode: true,
      staff,
      template,
      to,
      props: { ...mailProps[template] },
      next_attempt_at: new Date(Date.now() + anHour),
      created_at: new Date(),
    })),
  });
}

/** How many mails had gone out before this one, of those counted from `from`. */
async function placeOf(to: string, from: number): Promise<number> {
  const at = await until(`the mail to ${to}`, () => smtp.delivered.findIndex((one) => one.to.includes(to)) + 1);
  return at - 1 - from;
}

/** How many mails had gone out with the last one to this address, and including it. */
const placeOfLast = (to: string): number => smtp.delivered.findLastIndex((one) => one.to[0] === to) + 1;

it("sends other businesses' mails and staff mails early, however long one business's queue is", async () => {
  const staff = await createStaff(busy);
  await queue(busy, 2_000, "many@example.com");
  await release();
  await until("the first mails", () => smtp.delivered.length > 0);
  const from = smtp.delivered.length;
  await create(small.liveKey, "payment_links", { email: "small@example.com" });
  // Also to the very business that has so much to send.
  expect((await call("POST", "/password-resets", { body: { email: staff.email } })).status).toBe(200);
  // A look every second, and what is in hand then: at five at a time and 30 ms each that is far below 400.
  expect(await placeOf("small@example.com", from)).toBeLessThan(400);
  expect(await placeOf(staff.email, from)).toBeLessThan(400);
  expect(await db.email.count({ where: { business_id: busy.businessId, status: "queued" } })).toBeGreaterThan(1_000);
  await asOwner(`DELETE FROM email WHERE business_id = ${busy.businessId} AND status = 'queued'`);
});

it("takes turns between businesses that wait equally long", async () => {
  await Promise.all([queue(busy, 300, "busy@example.com"), queue(small, 30, "small@example.com")]);
  await release();
  await until(
    "all of the small one",
    () => smtp.delivered.filter(({ to }) => to[0] === "small@example.com").length === 30,
  );
  // One of each in turn, and the two that a round has in hand.
  expect(placeOfLast("small@example.com")).toBeLessThan(100);
  await asOwner("DELETE FROM email WHERE status = 'queued'");
});

it("sends staff mails first, with payers' mails beside them", async () => {
  await Promise.all([queue(busy, 100, "staff@example.com", true), queue(small, 100, "payer@example.com")]);
  await release();
  await until("all to staff", () => smtp.delivered.filter(({ to }) => to[0] === "staff@example.com").length === 100);
  const upToLast = smtp.delivered.slice(0, placeOfLast("staff@example.com"));
  const payers = upToLast.filter(({ to }) => to[0] === "payer@example.com").length;
  expect(payers).toBeGreaterThan(10);
  expect(payers).toBeLessThan(40);
  await asOwner("DELETE FROM email WHERE status = 'queued'");
});
