import { beforeEach, expect, it } from "vitest";
import { sendNotices } from "@/lib/billing/notices";
import { db } from "@/lib/core/db";
import { call, type Row } from "@/tests/support/http";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let biller: Biller;
const email = "ada@example.com";
beforeEach(async () => {
  biller = await createBiller();
});

async function noticesOf(id: string): Promise<Row[]> {
  const query = `subscription_id=${id}&sort=created_at&per_page=100`;
  const { data } = (await call("GET", `/events?${query}`, { key: biller.key })).json;
  return data.filter(({ type }: Row) => /upcoming|expiring/.test(String(type)));
}
const mails = async (id: string) =>
  (await db.email.findMany({ where: { subscription_id: id }, orderBy: { created_at: "asc" } }))
    .map(({ template }) => template)
    .filter((template) => template === "renewal_notice" || template === "card_expiring");

async function active(over: Record<string, unknown> = {}): Promise<string> {
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage(over), email);
  await biller.becomes(id, "active");
  return id;
}

it("a renewal is announced once, on the configured day", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 5 } });
  const id = await active();
  const { next_charge_at } = await biller.subscription(id);
  await biller.advance(await biller.later(70));
  const events = await noticesOf(id);
  expect(events.map(({ type }) => type)).toEqual(["subscription.renewal_upcoming", "subscription.renewal_upcoming"]);
  const before = Date.parse(String(next_charge_at)) - Date.parse(String(events[0]?.created_at));
  expect(before).toBe(5 * 86_400_000);
  expect(events[0]?.data).toMatchObject({ next_charge_at });
  expect(await mails(id)).toEqual(["renewal_notice", "renewal_notice"]);
});

it("no renewal is announced when notices are off, for daily subscriptions, or at the end", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 0 } });
  const unwanted = await active();
  await biller.advance(await biller.later(40));
  expect(await noticesOf(unwanted)).toEqual([]);
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 3 } });
  const daily = await active({ frequency: "daily" });
  const ending = await active();
  await biller.put(ending, { cancel_at_period_end: true });
  await biller.advance(await biller.later(40));
  expect([await noticesOf(daily), await noticesOf(ending)]).toEqual([[], []]);
});

it("an expiring card is announced instead of the renewal", async () => {
  const id = await active();
  const { next_charge_at } = await biller.subscription(id);
  const month = new Date(Date.parse(String(next_charge_at)) - 32 * 86_400_000);
  await db.tokenization.updateMany({
    where: { business_id: biller.merchant.businessId },
    data: { card_exp_month: month.getUTCMonth() + 1, card_exp_year: month.getUTCFullYear() },
  });
  await biller.advance(String(next_charge_at));
  expect((await noticesOf(id)).map(({ type }) => type)).toEqual(["subscription.card_expiring"]);
  expect(await mails(id)).toEqual(["card_expiring"]);
});

it("an expiring card of a weekly subscription is announced once, at the start of its last period, when notices are off", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 0 } });
  const today = new Date(String((await biller.get("/test-clock")).now));
  const start = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 20, 12));
  await biller.advance(start.toISOString());
  const id = await active({ frequency: "weekly" });
  await sendNotices(); // of the second period, while the card does not expire
  await db.tokenization.updateMany({
    where: { business_id: biller.merchant.businessId },
    data: { card_exp_month: start.getUTCMonth() + 1, card_exp_year: start.getUTCFullYear() },
  });
  const { next_charge_at } = await biller.subscription(id);
  await biller.advance(await biller.later(30));
  const events = await noticesOf(id);
  expect(events.map(({ type, created_at }) => [type, created_at])).toEqual([
    ["subscription.card_expiring", next_charge_at],
  ]);
  expect(await mails(id)).toEqual(["card_expiring"]);
});

it("no renewal is announced without a card", async () => {
  const id = await active();
  await db.tokenization.updateMany({ where: { business_id: biller.merchant.businessId }, data: { status: "revoked" } });
  await biller.advance(await biller.later(29));
  expect((await noticesOf(id)).map(({ type }) => type)).toEqual(["subscription.renewal_upcoming"]);
  expect(await mails(id)).toEqual([]);
});

it("the first charge of a future start is announced, also when fewer days are left", async () => {
  await biller.saveCard(email);
  const { now } = await biller.get("/test-clock");
  const start = (days: number) => new Date(Date.parse(String(now)) + days * 86_400_000).toISOString().slice(0, 10);
  const far = await biller.subscribe(await biller.createPackage({ date_charge_start: start(20) }), email);
  const near = await biller.subscribe(await biller.createPackage({ date_charge_start: start(2) }), email);
  const { next_charge_at } = await biller.subscription(far);
  await biller.advance(String(next_charge_at));
  const [event, ...others] = await noticesOf(far);
  expect([event?.type, event?.data, others]).toMatchObject([
    "subscription.renewal_upcoming",
    { status: "created" },
    [],
  ]);
  expect(Date.parse(String(next_charge_at)) - Date.parse(String(event?.created_at))).toBe(3 * 86_400_000);
  expect([await mails(far), await mails(near)]).toEqual([["renewal_notice"], ["renewal_notice"]]);
  const { id: mail } = await db.email.findFirstOrThrow({ where: { subscription_id: far } });
  const { text } = await biller.get(`/emails/${mail}`);
  expect(String(text)).toContain("Your subscription starts on");
});
