import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt } from "@/tests/support/checkout";
import { createKey, createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const send = (id: string, key = merchant.key) => call("POST", `/payment-links/${id}/send`, { key });
const mailsOf = (id: string) =>
  db.email.findMany({ where: { payment_link_id: id, template: "payment_link" }, orderBy: { id: "asc" } });
/** Dates the mails that were sent by hand back. */
const ago = (id: string, seconds: number) =>
  db.$executeRaw`UPDATE email SET created_at = created_at - ${seconds}::int * interval '1 second'
                  WHERE payment_link_id = ${id} AND event_id IS NULL`;

it("queues the mail again to the link's current payer; test mode stores it", async () => {
  const id = await create(merchant.key, "payment_links", { email: "old@example.com" });
  const body = { email: "new@example.com", currency: "EUR", amount: "2000", title: "Order 1001" };
  await call("PUT", `/payment-links/${id}`, { key: merchant.key, body });
  const reply = await send(id);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data).toEqual((await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data);
  const [first, again] = await mailsOf(id);
  expect(first).toMatchObject({ to: "old@example.com", status: "outbox" });
  expect(again).toMatchObject({ to: "new@example.com", status: "outbox", next_attempt_at: null, event_id: null });
  const listed = (await call("GET", `/emails?payment_link_id=${id}`, { key: merchant.key })).json.data;
  expect(listed[0]).toMatchObject({ to: "new@example.com", subject: "[Test] €20.00 to pay: Order 1001" });
  const entries = (await call("GET", `/payment-links/${id}/timeline`, { key: merchant.key })).json.data;
  expect(entries[0]).toMatchObject({ kind: "mail", text: "“Payment link” for new@example.com not sent (test mode)" });
});

it("queues it in live mode, also for a link created with send_email false", async () => {
  const id = await create(merchant.liveKey, "payment_links", { send_email: false });
  expect(await mailsOf(id)).toEqual([]);
  expect((await send(id, merchant.liveKey)).status).toBe(200);
  const [mail, ...more] = await mailsOf(id);
  expect(more).toEqual([]);
  expect(mail?.livemode).toBe(true);
  // Without a mail server, the worker keeps the mail in the outbox.
  await expect.poll(async () => (await mailsOf(id))[0]?.attempt_count).toBeGreaterThan(0);
});

it("sends at most once a minute and ten times a day, and says when the next is possible", async () => {
  const id = await create(merchant.key, "payment_links");
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(id)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429, 429, 429]);
  const refused = replies.find(({ status }) => status === 429);
  expect(refused?.json).toEqual({ message: "Too Many Attempts.", code: "too_many_attempts" });
  const wait = Number(refused?.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(50);
  expect(wait).toBeLessThanOrEqual(60);
  for (let sent = 1; sent < 10; sent++) {
    await ago(id, 61);
    expect([sent, (await send(id)).status]).toEqual([sent, 200]);
  }
  await ago(id, 61);
  const eleventh = await send(id);
  expect(eleventh.status).toBe(429);
  expect(Number(eleventh.headers.get("retry-after"))).toBeGreaterThan(80_000);
  await ago(id, 86_400);
  expect((await send(id)).status).toBe(200);
  expect(await mailsOf(id)).toHaveLength(12);
});

it("refuses a link that cannot be paid, and sends nothing", async () => {
  const inactive = await create(merchant.key, "payment_links");
  await call("POST", `/payment-links/${inactive}/deactivate`, { key: merchant.key });
  const expired = await create(merchant.key, "payment_links");
  await db.paymentLink.update({ where: { id: expired }, data: { expires_at: new Date(Date.now() - 1_000) } });
  const paid = await create(merchant.key, "payment_links");
  await payAt(`/pay?id=${paid}`);
  const codes = { [inactive]: "link_not_active", [expired]: "link_expired", [paid]: "link_already_paid" };
  for (const [id, code] of Object.entries(codes)) {
    const { status, json } = await send(id);
    expect([status, json.code]).toEqual([409, code]);
    expect(await mailsOf(id)).toHaveLength(1);
  }
});

it("sends once for one Idempotency-Key, and refuses a read-only key", async () => {
  const id = await create(merchant.key, "payment_links");
  const headers = { "Idempotency-Key": `send-${id}` };
  const path = `/payment-links/${id}/send`;
  const first = await call("POST", path, { key: merchant.key, headers });
  const second = await call("POST", path, { key: merchant.key, headers });
  expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  expect(await mailsOf(id)).toHaveLength(2);
  expect((await send(id, await createKey(merchant, ["read"]))).status).toBe(403);
});
