import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { queuePayerMail, queueStaffMail } from "@/lib/outbox/mail/enqueue";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { type Rig, startRig } from "@/tests/faults/rig";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { mailProps } from "@/tests/support/mails";
import { insertPayment } from "@/tests/support/paid";
import { activate, create } from "@/tests/support/samples";
import { createStaff } from "@/tests/support/sign-in";
import { manyMails, startSmtp } from "@/tests/support/smtp";

// A server and a database of its own: the one that the other files share has no mail server.

let rig: Rig;
let merchant: Merchant;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let logged = "";
beforeAll(async () => {
  smtp = await startSmtp();
  rig = await startRig(
    { ...manyMails, SMTP_URL: smtp.url, MAIL_FROM: "desk@paydesk.example", LOG_LEVEL: "debug" },
    (text) => {
      logged += text;
    },
  );
  merchant = await createMerchant('Blue "Bottle"\r\nBcc: victim@example.com');
});
afterAll(async () => {
  await rig?.stop();
  await smtp?.stop();
});
beforeEach(() => {
  smtp.delivered.length = 0;
  smtp.behaviour.rcpt = undefined;
  smtp.behaviour.data = undefined;
  smtp.behaviour.slow = undefined;
});

const live = (over: object = {}) => create(merchant.liveKey, "payment_links", { ...over });
const rowOf = (linkId: string) => db.email.findFirstOrThrow({ where: { payment_link_id: linkId } });

async function until<T>(look: () => Promise<T>, good: (value: T) => boolean, seconds = 20): Promise<T> {
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(100)) {
    const value = await look();
    if (good(value)) return value;
    if (Date.now() > deadline) throw new Error(`not within ${seconds} s: ${JSON.stringify(value)}`);
  }
}

const became = (linkId: string, status: string) =>
  until(
    () => rowOf(linkId),
    (row) => row.status === status,
  );

/** What waits for its next try is due now. */
const hurry = (linkId: string) =>
  db.email.updateMany({ where: { payment_link_id: linkId, status: "queued" }, data: { next_attempt_at: new Date() } });

it("sends live mails in the business's name, without header injection", async () => {
  await call("PUT", "/settings", { key: merchant.liveKey, body: { support_email: "help@shop.example" } });
  const link = await live({ title: "Order 1001\r\nBcc: victim@example.com\r\n\r\nbody", email: "ada@example.com" });
  const { id, subject, html, text } = await became(link, "sent");
  const [delivered] = smtp.delivered;
  expect(smtp.delivered).toHaveLength(1);
  expect([delivered?.from, delivered?.to]).toEqual(["desk@paydesk.example", ["ada@example.com"]]);
  const { mail } = delivered ?? {};
  expect(mail?.from).toMatchObject({ name: 'Blue "Bottle" Bcc: victim@example.com', address: "desk@paydesk.example" });
  expect(mail?.replyTo).toMatchObject([{ address: "help@shop.example" }]);
  expect(mail?.to).toMatchObject([{ address: "ada@example.com" }]);
  expect([mail?.cc, mail?.bcc]).toEqual([undefined, undefined]);
  expect(mail?.messageId).toBe(`<${id}@paydesk.example>`);
  expect(mail?.subject).toBe(subject);
  expect(mail?.subject).not.toMatch(/[\r\n]/);
  expect(mail?.text?.trim()).toBe(text?.trim());
  expect(mail?.html?.trim()).toBe(html?.trim());
  const head = (delivered?.raw ?? "").split("\r\n\r\n")[0] ?? "";
  expect(head).not.toMatch(/^bcc:/im);
  expect(head).toMatch(/^Auto-Submitted: auto-generated$/m);
});

it("lets a member turn a kind of mail off with one click, without storing the link", async () => {
  const { email: to } = await createStaff(merchant);
  const props = mailProps.webhook_failing;
  const id = await queueStaffMail(db, {
    template: "webhook_failing",
    to,
    businessId: merchant.businessId,
    livemode: true,
    props,
  });
  const row = await until(
    () => db.email.findUniqueOrThrow({ where: { id } }),
    ({ status }) => status === "sent",
  );
  const head = (smtp.delivered[0]?.raw ?? "").split("\r\n\r\n")[0]?.replace(/\r\n\s+/g, "") ?? "";
  const [, link = ""] = /^List-Unsubscribe:\s*<(.*)>$/im.exec(head) ?? [];
  expect(new URL(link).pathname).toMatch(/^\/unsubscribe\/v1\./);
  expect(head).toMatch(/^List-Unsubscribe-Post:\s*List-Unsubscribe=One-Click$/im);
  expect(smtp.delivered[0]?.mail.text).toContain("Stop these e-mails");
  expect(smtp.delivered[0]?.mail.html).toContain("/unsubscribe/");
  expect(`${row.html}${row.text}`).not.toContain("unsubscribe");
  expect(await fetch(link.replace(/^https?:\/\/[^/]+/, rig.url)).then(({ status }) => status)).toBe(200);
});

it("never sends a test-mode mail to a payer", async () => {
  const link = await create(merchant.key, "payment_links");
  await became(link, "outbox");
  await became(await live(), "sent"); // a turn later
  expect(smtp.delivered.map(({ mail }) => mail.subject)).toEqual(["€10.50 to pay: Order 1001"]);
});

it("sends staff mails in test mode too, with a link that is not stored", async () => {
  const { businessId } = merchant;
  const mail = { template: "invitation" as const, to: "new@example.com", props: mailProps.invitation };
  const id = await queueStaffMail(db, { ...mail, businessId, livemode: false });
  const row = await until(
    () => db.email.findUniqueOrThrow({ where: { id } }),
    ({ status }) => status === "sent",
  );
  expect(smtp.delivered[0]?.mail.text).toContain(mailProps.invitation.link);
  expect(smtp.delivered[0]?.mail.html).toContain(mailProps.invitation.link);
  expect(smtp.delivered[0]?.mail.from).toMatchObject({ name: "Paydesk" });
  expect(JSON.stringify(row)).not.toContain("s3cret");
  expect(row.props).toEqual({});
  expect(logged).not.toContain("s3cret");
  expect(logged).toContain('"level":'); // the log was read
});

it("waits while the mail server is unavailable, and sends when it is available again", async () => {
  await smtp.stop();
  const link = await live();
  const waiting = await until(
    () => rowOf(link),
    ({ last_error }) => last_error !== null,
  );
  expect([waiting.status, waiting.attempt_count]).toEqual(["queued", 1]);
  expect(waiting.last_error).toMatch(/^The mail server cannot be reached: /);
  const pause = (waiting.next_attempt_at?.getTime() ?? 0) - Date.now();
  expect(pause).toBeGreaterThan(50_000);
  expect(pause).toBeLessThanOrEqual(60_000);
  await hurry(link);
  const again = await until(
    () => rowOf(link),
    ({ attempt_count, next_attempt_at }) => attempt_count === 2 && Number(next_attempt_at) < Date.now() + 301_000,
    60,
  );
  await until(
    () => rowOf(link),
    ({ next_attempt_at }) => Math.abs(Number(next_attempt_at) - Date.now() - 300_000) < 20_000,
  );
  expect(again.status).toBe("queued");
  await smtp.start();
  await hurry(link);
  expect((await became(link, "sent")).last_error).toBe(null);
  expect(smtp.delivered).toHaveLength(1);
});

it("retries after a 4xx with the same Message-ID", async () => {
  smtp.behaviour.rcpt = () => ({ code: 451, text: "4.7.1 greylisted" });
  const link = await live({ email: "grey@example.com" });
  const waiting = await until(
    () => rowOf(link),
    ({ last_error }) => last_error !== null,
  );
  expect(waiting.status).toBe("queued");
  expect(waiting.last_error).toMatch(/^The mail server asks to wait: .*greylisted/);
  smtp.behaviour.rcpt = undefined;
  await hurry(link);
  const { id, attempt_count } = await became(link, "sent");
  expect(attempt_count).toBe(2);
  expect(smtp.delivered[0]?.mail.messageId).toBe(`<${id}@paydesk.example>`);
});

it.each([
  ["the recipient", () => ({ rcpt: () => ({ code: 550, text: "5.1.1 no such user" }) }), /refused it: .*no such user/],
  ["the text", () => ({ data: () => ({ code: 554, text: "5.7.1 looks like spam" }) }), /refused it: .*spam/],
])("fails permanently when %s is refused, and stores the reason", async (_, behaviour, said) => {
  Object.assign(smtp.behaviour, behaviour());
  const row = await became(await live(), "failed");
  expect(row.last_error).toMatch(said);
  expect([row.next_attempt_at, row.attempt_count]).toEqual([null, 1]);
  const { status, last_error, resendable } = (await call("GET", `/emails/${row.id}`, { key: merchant.liveKey })).json
    .data;
  expect([status, last_error, resendable]).toEqual(["failed", row.last_error, true]);
});

it("fails after three days of retries, and can be sent again by hand", async () => {
  await smtp.stop();
  const link = await live();
  await until(
    () => rowOf(link),
    ({ last_error }) => last_error !== null,
  );
  await db.email.updateMany({
    where: { payment_link_id: link, status: "queued" },
    data: { attempt_count: 12, next_attempt_at: new Date() },
  });
  const row = await became(link, "failed");
  expect(row.last_error).toMatch(/^Given up after three days\. The mail server cannot be reached/);
  await smtp.start();
  const copy = await call("POST", `/emails/${row.id}/resend`, { key: merchant.liveKey });
  await until(
    () => db.email.findUniqueOrThrow({ where: { id: copy.json.data._id } }),
    ({ status }) => status === "sent",
  );
  expect(smtp.delivered).toHaveLength(1);
});

it("after a kill, sends the mail in progress once its claim has expired", async () => {
  smtp.behaviour.slow = 5_000;
  const link = await live();
  await until(
    () => rowOf(link),
    ({ attempt_count }) => attempt_count === 1,
  );
  await rig.powerCut();
  const left = await rowOf(link);
  expect([left.status, left.attempt_count]).toEqual(["queued", 1]);
  const lease = (left.next_attempt_at?.getTime() ?? 0) - Date.now();
  expect(lease).toBeGreaterThan(60_000); // nobody else takes it meanwhile
  smtp.behaviour.slow = undefined;
  await hurry(link);
  const row = await became(link, "sent");
  expect(row.attempt_count).toBe(2);
  expect(new Set(smtp.delivered.map(({ mail }) => mail.messageId)).size).toBe(1);
});

/** What happens to a live link while its mail waits for the mail server. */
const corrected = { email: "new@example.com", currency: "EUR", amount: "9990", title: "Order 1001, corrected" };
const move = (id: string, how: string) => call("POST", `/payment-links/${id}/${how}`, { key: merchant.liveKey });

async function duringOutage(change: (linkId: string) => Promise<unknown>): Promise<string> {
  await smtp.stop();
  const link = await live({ amount: "99900", email: "old@example.com" });
  await until(
    () => rowOf(link),
    ({ last_error }) => last_error !== null,
  );
  await change(link);
  await smtp.start();
  await hurry(link);
  return link;
}

it("asks for what is true when it is sent, at the link's present address", async () => {
  const link = await duringOutage((id) =>
    call("PUT", `/payment-links/${id}`, { key: merchant.liveKey, body: corrected }),
  );
  const row = await became(link, "sent");
  expect([row.to, row.subject]).toEqual(["new@example.com", "€99.90 to pay: Order 1001, corrected"]);
  const recipients = smtp.delivered.map(({ to, mail }) => [to[0], mail.subject]);
  expect(recipients).toContainEqual(["new@example.com", row.subject]);
  expect(recipients.flat()).not.toContain("old@example.com");
});

it.each<[string, (id: string) => Promise<unknown>, string]>([
  ["link_deleted", (id) => call("DELETE", `/payment-links/${id}`, { key: merchant.liveKey }), ""],
  ["link_inactive", (id) => move(id, "deactivate"), "“Payment link” not sent: the link had been deactivated"],
  ["link_paid", (_id) => insertPayment({ _id }), "“Payment link” not sent: the link had been paid"],
  [
    "link_expired",
    (id) => db.paymentLink.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1_000) } }),
    "“Payment link” not sent: the link had expired",
  ],
])("drops a payment request that is no longer right: %s", async (reason, change, line) => {
  const link = await duringOutage(change);
  const row = await became(link, "dropped");
  expect([row.drop_reason, row.html, row.next_attempt_at]).toEqual([reason, null, null]);
  expect(smtp.delivered).toEqual([]);
  const { key } = { key: merchant.liveKey };
  expect((await call("GET", `/emails/${row.id}`, { key })).json.data).toMatchObject({
    ...{ status: "dropped", drop_reason: reason, resendable: true },
  });
  expect((await call("GET", "/emails?status=dropped", { key })).json.data).toContainEqual(
    expect.objectContaining({ _id: row.id }),
  );
  if (line === "") return;
  const timeline = (await call("GET", `/payment-links/${link}/timeline`, { key })).json.data as unknown as {
    text: string;
  }[];
  expect(timeline.map(({ text }) => text)).toContain(line);
});

it("waits while a payment is in progress, and asks again if it fails", async () => {
  const processing = (id: string) => db.paymentLink.update({ where: { id }, data: { status: "Processing" } });
  const link = await duringOutage(processing);
  const looked = (reason: RegExp) =>
    until(
      () => rowOf(link),
      ({ last_error }) => reason.test(last_error ?? ""),
    );
  // More often than the mail server is tried.
  for (let looks = 0; looks < 13; looks++) {
    await looked(/^A payment of the link is in progress\.$/);
    await db.email.updateMany({
      where: { payment_link_id: link },
      data: { last_error: null, next_attempt_at: new Date() },
    });
  }
  await looked(/in progress/);
  expect(smtp.delivered).toEqual([]);
  await db.paymentLink.update({ where: { id: link }, data: { status: "Active" } });
  smtp.behaviour.rcpt = () => ({ code: 451, text: "4.7.1 greylisted" });
  await hurry(link);
  expect((await looked(/greylisted/)).status).toBe("queued");
  smtp.behaviour.rcpt = undefined;
  await hurry(link);
  await became(link, "sent");
});

it("drops the notice of a charge that is no longer due, and says why", async () => {
  const key = merchant.liveKey;
  const email = "renewal@example.com";
  const tokenization = await create(key, "tokenizations", { email });
  await activate(tokenization);
  const package_id = await create(key, "packages", { date_charge_start: "2030-06-01" });
  const queue = async () => {
    const id = await create(key, "subscriptions", { package_id, email, allow_duplicate: true });
    const subscription = (await call("GET", `/subscriptions/${id}`, { key })).json.data as unknown as Subscription;
    const mail = { template: "renewal_notice", to: "old@example.com", props: { subscription } } as const;
    await queuePayerMail(db, { businessId: merchant.businessId, livemode: true }, mail, {
      ...{ paymentLinkId: null, subscriptionId: id },
    });
    return id;
  };
  const rowOfSubscription = (id: string) => db.email.findFirstOrThrow({ where: { subscription_id: id } });
  const settled = (id: string) =>
    until(
      () => rowOfSubscription(id),
      ({ status, last_error }) => status !== "queued" || last_error !== null,
    );
  expect(await settled(await queue())).toMatchObject({ status: "sent", to: email });
  for (const [status, reason] of [
    ["cancel", "subscription_ended"],
    ["paused", "subscription_paused"],
  ] as const) {
    await smtp.stop();
    const subscription = await queue();
    await settled(subscription);
    // Only an active subscription can be paused.
    await db.subscription.update({ where: { id: subscription }, data: { status: "active" } });
    await call("PUT", `/subscriptions/${subscription}`, { key, body: { status } });
    await smtp.start();
    await db.email.updateMany({
      where: { subscription_id: subscription, status: "queued" },
      data: { next_attempt_at: new Date() },
    });
    const dropped = await until(
      () => rowOfSubscription(subscription),
      ({ status }) => status === "dropped",
    );
    expect(dropped.drop_reason).toBe(reason);
  }
});
