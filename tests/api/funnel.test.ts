import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import type { PaymentLinkFunnel } from "@/lib/resources/payment-links/funnel-contract";
import { payAt } from "@/tests/support/checkout";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call } from "@/tests/support/http";
import { create } from "@/tests/support/samples";

let merchant: Merchant;
beforeAll(async () => {
  merchant = await createMerchant();
});

const funnel = async (id: string, key = merchant.key) =>
  (await call("GET", `/payment-links/${id}/funnel`, { key })).json;
const none = { count: 0, count_is_lower_bound: false, last_at: null };
const once = { count: 1, count_is_lower_bound: false, last_at: expect.stringMatching(/\.\d{6}Z$/) };

it("says what has happened so far: sent, opened, tried, paid", async () => {
  const id = await create(merchant.key, "payment_links", { send_email: false });
  const link = (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data;
  expect((await funnel(id)).data).toEqual({
    _id: id,
    sent: { ...none, status: null },
    opened: none,
    tried: none,
    paid_at: null,
    created_at: link.created_at,
  });
  await call("POST", `/payment-links/${id}/send`, { key: merchant.key });
  await payAt(`/pay?id=${id}`, "4000000000009995");
  expect((await funnel(id)).data).toMatchObject({
    sent: { ...once, status: "outbox" },
    opened: once,
    tried: once,
    paid_at: null,
  });
  await payAt(`/pay?id=${id}`);
  const data = (await funnel(id)).data as unknown as PaymentLinkFunnel;
  expect(data).toMatchObject({ sent: once, tried: { ...once, count: 2 } });
  const paid = (await call("GET", `/payment-links/${id}`, { key: merchant.key })).json.data;
  expect(data.paid_at).toBe(paid.paid_at);
  expect(Date.parse(data.tried.last_at ?? "")).toBeLessThanOrEqual(Date.parse(data.paid_at ?? ""));
});

it("counts the mails that were sent or kept, and shows the state of the newest", async () => {
  const id = await create(merchant.key, "payment_links");
  await db.email.updateMany({ where: { payment_link_id: id }, data: { status: "failed" } });
  expect((await funnel(id)).data.sent).toEqual({ ...none, status: "failed" });
  await db.email.updateMany({
    where: { payment_link_id: id },
    data: { status: "sent", sent_at: new Date("2026-11-21T09:30:01.250Z") },
  });
  expect((await funnel(id)).data.sent).toEqual({
    count: 1,
    count_is_lower_bound: false,
    last_at: "2026-11-21T09:30:01.250000Z",
    status: "sent",
  });
});

it("counts at most a thousand hours of visits, and a manual payment as no attempt", async () => {
  const id = await create(merchant.key, "payment_links", { send_email: false });
  const hour = (ago: number) => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - ago * 3_600_000);
  await db.linkVisit.createMany({
    data: Array.from({ length: 1_000 }, (_, ago) => {
      return { payment_link_id: id, hour: hour(ago), visits: 2, last_at: hour(ago) };
    }),
  });
  const last = hour(0).toISOString().replace("Z", "000Z");
  expect((await funnel(id)).data.opened).toEqual({ count: 2_000, count_is_lower_bound: false, last_at: last });
  await db.linkVisit.create({ data: { payment_link_id: id, hour: hour(1_000), visits: 2, last_at: hour(1_000) } });
  expect((await funnel(id)).data.opened).toMatchObject({ count_is_lower_bound: true, last_at: last });
  const today = new Date().toISOString().slice(0, 10);
  const body = { method: "cash", paid_on: today };
  const marked = await call("POST", `/payment-links/${id}/mark-paid`, { key: merchant.key, body });
  expect(marked.status, marked.text).toBe(200);
  const { tried, paid_at } = (await funnel(id)).data;
  expect([tried, paid_at !== null]).toEqual([none, true]);
});

it("is not found for other businesses, the other mode and deleted links", async () => {
  const id = await create(merchant.key, "payment_links");
  const other = await createMerchant();
  const missing = { message: "Payment link not found.", code: "not_found" };
  expect(await funnel(id, other.key)).toEqual(missing);
  expect(await funnel(id, merchant.liveKey)).toEqual(missing);
  expect(await funnel("pl_nonsense")).toEqual(missing);
  await call("DELETE", `/payment-links/${id}`, { key: merchant.key });
  expect(await funnel(id)).toEqual(missing);
});
