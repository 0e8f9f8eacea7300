import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { db, transaction } from "@/lib/core/db";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import { record } from "@/lib/outbox/record";
import type { QueuedMail } from "@/lib/resources/emails/templates";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { mailProps } from "@/tests/support/mails";
import { activate, create } from "@/tests/support/samples";

// The server under test has no SMTP_URL: every mail stays in the outbox.

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const get = async (id: string, key = merchant.key) => (await call("GET", `/emails/${id}`, { key })).json.data;
const list = async (query: string, key = merchant.key) => (await call("GET", `/emails?${query}`, { key })).json.data;

async function settled(id: string, key = merchant.key) {
  for (const deadline = Date.now() + 15_000; ; await sleep(100)) {
    const mail = await get(id, key);
    if (mail.status !== "queued") return mail;
    if (Date.now() > deadline) throw new Error("the mail is still queued");
  }
}

async function mailOf(linkId: string, key = merchant.key): Promise<string> {
  const [mail] = await list(`payment_link_id=${linkId}`, key);
  if (!mail) throw new Error("there is no mail");
  return mail._id;
}

/** Queues the payer's mail about a declined saved card. */
async function failedMailOf(id: string): Promise<string> {
  const link = (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data as unknown as PaymentLink;
  const { payment } = mailProps.payment_failed;
  const mail = { template: "payment_failed" as const, to: link.email, props: { link, payment } };
  const event = { type: "payment_link.updated" as const, data: link, mails: [mail] };
  await transaction(db, (tx) => record(tx, { businessId: merchant.businessId, livemode: false }, [event]));
  return id;
}

it("stores a new link's mail in the outbox, as its payer would see it", async () => {
  const link = await create(merchant.key, "payment_links", { title: "Order <b>1001</b>", email: "grace@example.com" });
  const mail = await settled(await mailOf(link));
  expect(mail).toMatchObject({
    template: "payment_link",
    to: "grace@example.com",
    status: "outbox",
    livemode: false,
    payment_link_id: link,
    subscription_id: null,
    sent_at: null,
    last_error: null,
    resendable: true,
  });
  expect(mail.subject).toBe("[Test] €10.50 to pay: Order <b>1001</b>");
  expect(mail.text).toContain("For: Order <b>1001</b>\n");
  expect(mail.text).toContain(`/pay?id=${link}\n`);
  expect(mail.text).toContain("Test mode: no money moves.");
  expect(mail.html).toContain("Order &lt;b&gt;1001&lt;/b&gt;");
  expect(mail.html).not.toContain("<b>1001");
});

it("sends no mail for a link with send_email false", async () => {
  const link = await create(merchant.key, "payment_links", { send_email: false });
  expect(await list(`payment_link_id=${link}`)).toEqual([]);
});

it("stores live mails in the outbox without a mail server", async () => {
  const link = await create(merchant.liveKey, "payment_links");
  const mail = await settled(await mailOf(link, merchant.liveKey), merchant.liveKey);
  expect([mail.status, mail.subject, mail.livemode]).toEqual(["outbox", "€10.50 to pay: Order 1001", true]);
});

it("lists mails without their text, with filters", async () => {
  const one = await create(merchant.key, "payment_links", { email: "filtered@example.com" });
  await create(merchant.key, "payment_links", { email: "other@example.com" });
  const id = await mailOf(one);
  await settled(id);
  for (const query of [
    "to=filtered%40example.com",
    `payment_link_id=${one}`,
    "status=outbox&to=filtered%40example.com",
    "template=payment_link&to=filtered%40example.com",
  ]) {
    const rows = await list(query);
    expect([query, rows.map(({ _id }) => _id)]).toEqual([query, [id]]);
    expect(Object.keys(rows[0] ?? {})).not.toContain("html");
  }
  for (const query of ["status=failed", "template=receipt", "subscription_id=sub_x", "to=nobody%40example.com"])
    expect([query, await list(query)]).toEqual([query, []]);
  expect((await call("GET", "/emails?template=nonsense", { key: merchant.key })).status).toBe(422);
});

it("finds a payment's own receipt among those of its link", async () => {
  const { key } = merchant;
  const link = await create(key, "payment_links", { send_email: false });
  const pay = async () => {
    const body = { method: "cash", paid_on: new Date().toISOString().slice(0, 10) };
    const marked = await call("POST", `/payment-links/${link}/mark-paid`, { key, body });
    expect(marked.status, marked.text).toBe(200);
    return String((await call("GET", `/payments?payment_link_id=${link}`, { key })).json.data[0]?._id);
  };
  const reversed = await pay();
  const body = { reason: "Counted wrongly" };
  expect((await call("POST", `/payments/${reversed}/reverse`, { key, body })).status).toBe(200);
  expect((await call("POST", `/payment-links/${link}/activate`, { key })).status).toBe(200);
  const paid = await pay();
  const receipts = await list(`payment_link_id=${link}&template=receipt`);
  expect(receipts).toHaveLength(2);
  const ids = receipts.map(({ _id }) => _id);
  const found = async (payment: string, by = key) => (await list(`payment_id=${payment}`, by)).map(({ _id }) => _id);
  expect([...(await found(paid)), ...(await found(reversed))]).toEqual(ids);
  for (const by of [merchant.liveKey, (await createMerchant("Third shop")).key])
    expect(await found(paid, by)).toEqual([]);
  expect(await list(`payment_id=${paid}&template=refund`)).toEqual([]);
});

it("does not show the mails of another business or mode", async () => {
  const stranger = await createMerchant("Another shop");
  const id = await mailOf(await create(merchant.key, "payment_links"));
  await settled(id);
  for (const key of [stranger.key, merchant.liveKey]) {
    expect((await call("GET", `/emails/${id}`, { key })).status).toBe(404);
    expect((await call("POST", `/emails/${id}/resend`, { key })).status).toBe(404);
    expect((await list("per_page=100", key)).map(({ _id }) => _id)).not.toContain(id);
  }
  expect(await db.email.count({ where: { business_id: stranger.businessId } })).toBe(0);
});

/** A subscription whose saved card expires before its first charge. */
async function announcedSubscription(email: string): Promise<Subscription> {
  await activate(await create(merchant.key, "tokenizations", { email }));
  const package_id = await create(merchant.key, "packages", { date_charge_start: "2035-06-01" });
  const id = await create(merchant.key, "subscriptions", { package_id, email });
  return (await call("GET", `/subscriptions/${id}`, { key: merchant.key })).json.data as unknown as Subscription;
}

it("writes each mail to payers, and sends an identical copy", async () => {
  const owner = { businessId: merchant.businessId, livemode: false };
  const names = ["receipt", "refund", "renewal_notice", "card_expiring", "subscription_canceled"] as const;
  const data = await announcedSubscription("copied@example.com");
  const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 };
  const mails = names.map((template) => ({
    template,
    to: "copied@example.com",
    props: { ...mailProps[template], subscription: data, card },
  })) as QueuedMail[];
  await transaction(db, (tx) => record(tx, owner, [{ type: "subscription.updated", data, mails }]));
  const asking = await failedMailOf(await create(merchant.key, "payment_links"));
  const rows = [...(await list(`subscription_id=${data._id}`)), ...(await list(`payment_link_id=${asking}`))];
  expect(rows.map(({ template }) => template).sort()).toEqual([...names, "payment_failed", "payment_link"].sort());
  for (const { _id } of rows) {
    const first = await settled(_id);
    expect(first).toMatchObject({
      status: "outbox",
      event_id: expect.stringMatching(/^evt_/),
    });
    const reply = await call("POST", `/emails/${_id}/resend`, { key: merchant.key });
    expect(reply.json.data).toMatchObject({
      status: "outbox",
      subject: first.subject,
      event_id: null,
      resendable: true,
    });
    const copy = await settled(reply.json.data._id);
    expect([copy.subject, copy.text, copy.html]).toEqual([first.subject, first.text, first.html]);
    expect([copy.subscription_id, copy.payment_link_id]).toEqual([first.subscription_id, first.payment_link_id]);
  }
  expect(rows.map(({ subscription_id }) => subscription_id).filter((id) => id === data._id)).toHaveLength(5);
});

it("uses the link's current amount in a copy, and refuses a copy when the link cannot be paid", async () => {
  const body = { email: "other@example.com", currency: "EUR", amount: "2000", title: "Order 1001, two books" };
  const paths = async (id: string) => (await list(`payment_link_id=${id}`)).map(({ _id }) => `/emails/${_id}/resend`);
  const changed = await failedMailOf(await create(merchant.key, "payment_links", { email: "changed@example.com" }));
  await call("PUT", `/payment-links/${changed}`, { key: merchant.key, body });
  const [first] = await list(`payment_link_id=${changed}`);
  expect(await get(first?._id ?? "")).toMatchObject({ to: "changed@example.com", resend_to: "other@example.com" });
  for (const path of await paths(changed)) {
    const { json } = await call("POST", path, { key: merchant.key });
    const copy = await settled(json.data._id);
    expect(copy.to).toBe("other@example.com");
    if (copy.template === "payment_link") expect(copy.subject).toBe("[Test] €20.00 to pay: Order 1001, two books");
    expect(copy.text).toMatch(/Pay €20\.00( now)?:/);
    expect(copy.text).not.toMatch(/Pay €10/);
  }
  const move = (id: string, how: string) => call("POST", `/payment-links/${id}/${how}`, { key: merchant.key });
  const states: Record<string, (id: string) => Promise<unknown>> = {
    link_not_active: (id) => move(id, "deactivate"),
    link_expired: (id) => db.paymentLink.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1_000) } }),
    link_already_paid: (id) => payAt(`/pay?id=${id}`),
    conflict: (id) => call("DELETE", `/payment-links/${id}`, { key: merchant.key }),
  };
  for (const [code, reach] of Object.entries(states)) {
    const to = `${code}@example.com`;
    const id = await failedMailOf(await create(merchant.key, "payment_links", { email: to }));
    const requested = await paths(id);
    expect(requested).toHaveLength(2);
    await reach(id);
    for (const path of requested) {
      const refused = await call("POST", path, { key: merchant.key });
      expect([refused.status, refused.json.code]).toEqual([409, code]);
    }
    expect(await db.email.count({ where: { payment_link_id: id, copy_of: { not: null } } })).toBe(0);
  }
});

it("copies a notice of a charge with what is true now, and refuses it when the charge is no longer due", async () => {
  const subscription = await announcedSubscription("before@example.com");
  const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034 };
  const mails = (["renewal_notice", "card_expiring"] as const).map((template) => ({
    ...{ template, to: "before@example.com", props: { subscription, card } },
  })) as QueuedMail[];
  const owner = { businessId: merchant.businessId, livemode: false };
  await transaction(db, (tx) => record(tx, owner, [{ type: "subscription.updated", data: subscription, mails }]));
  const rows = await list(`subscription_id=${subscription._id}`);
  const resend = async (template: string) =>
    call("POST", `/emails/${rows.find((row) => row.template === template)?._id}/resend`, { key: merchant.key });
  const update = (body: object) => call("PUT", `/subscriptions/${subscription._id}`, { key: merchant.key, body });
  // Another card: its own expiry decides.
  const [newer] = [await create(merchant.key, "tokenizations", { email: "after@example.com" })];
  await activate(newer);
  await db.tokenization.update({ where: { id: newer }, data: { card_exp_year: 2040 } });
  await update({ email: "after@example.com" });
  expect((await resend("renewal_notice")).json.data).toMatchObject({ to: "after@example.com", status: "outbox" });
  expect((await resend("card_expiring")).status).toBe(409);
  await update({ status: "cancel" });
  const refused = await resend("renewal_notice");
  expect([refused.status, refused.json.message]).toEqual([
    409,
    "The charge that this e-mail announces is no longer due.",
  ]);
});

it("refuses copies of queued mails and of staff mails", async () => {
  const { businessId } = merchant;
  const id = await mailOf(await create(merchant.key, "payment_links"));
  await settled(id);
  await db.email.update({
    where: { id },
    data: { status: "queued", next_attempt_at: new Date(Date.now() + 3_600_000) },
  });
  const queued = await call("POST", `/emails/${id}/resend`, { key: merchant.key });
  expect([queued.status, queued.json.message]).toEqual([409, "The e-mail is still to be sent."]);
  await db.email.update({ where: { id }, data: { status: "outbox", next_attempt_at: null } });
  const staff = await queueStaffMail(db, {
    template: "api_key_expiring",
    to: "grace@example.com",
    props: mailProps.api_key_expiring,
    businessId,
    livemode: false,
  });
  const mail = await settled(staff);
  expect([mail.status, mail.resendable]).toEqual(["outbox", false]);
  expect(mail.text).toContain("/developers/keys/key_1"); // not a secret: its link stays
  const refused = await call("POST", `/emails/${staff}/resend`, { key: merchant.key });
  expect([refused.status, refused.json.message]).toEqual([409, "Only mails to payers can be sent again."]);
});

it.each(["invitation", "password_reset"] as const)("never stores or shows the link of an %s", async (template) => {
  const mail = { template, to: "new@example.com", businessId: merchant.businessId, livemode: false };
  const id =
    template === "invitation"
      ? await queueStaffMail(db, { ...mail, template, props: mailProps.invitation })
      : await queueStaffMail(db, { ...mail, template, props: mailProps.password_reset });
  const whole = async () =>
    JSON.stringify((await db.$queryRaw`SELECT e::text AS row FROM email e WHERE id = ${id}`) ?? "");
  const before = await whole();
  expect(before).toContain(id);
  expect(before).not.toContain("s3cret");
  const shown = await settled(id);
  expect(shown.status).toBe("outbox");
  expect(shown.text).toContain("the link is not stored");
  expect(JSON.stringify(shown)).not.toContain("s3cret");
  const after = await whole();
  expect(after).not.toContain("s3cret");
  expect(after).not.toContain("sealed"); // not even encrypted
});

it("needs emails:read for reading and emails:write for sending", async () => {
  const id = await mailOf(await create(merchant.key, "payment_links"));
  await settled(id);
  const reader = await createKey(merchant, ["emails:read"]);
  expect((await call("GET", `/emails/${id}`, { key: reader })).status).toBe(200);
  expect((await call("POST", `/emails/${id}/resend`, { key: reader })).status).toBe(403);
  expect(
    (await call("POST", `/emails/${id}/resend`, { key: await createKey(merchant, ["emails:write"]) })).status,
  ).toBe(200);
});

it("uses the business's Reply-To and time zone in mails", async () => {
  const own = await createMerchant("Shop of <Ada>");
  const settings = { support_email: "help@shop.example", timezone: "Asia/Tokyo" };
  expect((await call("PUT", "/settings", { key: own.key, body: settings })).status).toBe(200);
  const link = await create(own.key, "payment_links", { expires_at: "2031-12-31T20:00:00Z" });
  const mail = await settled(await mailOf(link, own.key), own.key);
  expect(mail.text).toContain("Pay before: 1 January 2032 at 05:00 (Asia/Tokyo)");
  expect(mail.text).toContain("help@shop.example");
  expect(mail.text).toContain("Shop of <Ada>");
});

it("sends at most five copies a day to a recipient, and says when the next is possible", async () => {
  const to = "often@example.com";
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) {
    const id = await mailOf(await create(merchant.key, "payment_links", { email: to }));
    await settled(id);
    ids.push(id);
  }
  const resend = (index: number) => call("POST", `/emails/${ids[index % 2]}/resend`, { key: merchant.key });
  const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => resend(index)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.json).toEqual({ message: "Too Many Attempts.", code: "too_many_attempts" });
  const wait = Number(refused?.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(86_300);
  expect(wait).toBeLessThanOrEqual(86_400);
  expect(await db.email.count({ where: { to } })).toBe(7);
  // The limit does not apply to other recipients, or a day later.
  const other = await mailOf(await create(merchant.key, "payment_links"));
  await settled(other);
  expect((await call("POST", `/emails/${other}/resend`, { key: merchant.key })).status).toBe(200);
  await db.$executeRaw`UPDATE email SET created_at = created_at - interval '1 day' WHERE "to" = ${to}`;
  expect((await resend(0)).status).toBe(200);
});
