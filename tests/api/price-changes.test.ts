import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { call, type Row } from "@/tests/support/http";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let biller: Biller;
let packageId: string;
const body = { name: "Reading club", currency: "EUR", frequency: "monthly" };
const email = "ada@example.com";
const dayMs = 86_400_000;

beforeEach(async () => {
  biller = await createBiller();
  packageId = await biller.createPackage();
});

const put = (amount: string, existing_subscriptions?: string) =>
  call("PUT", `/packages/${packageId}`, { key: biller.key, body: { ...body, amount, existing_subscriptions } });

async function active(who = email): Promise<string> {
  await biller.saveCard(who);
  const id = await biller.subscribe(packageId, who);
  await biller.becomes(id, "active");
  return id;
}

const days = async (count: number) => biller.advance(await biller.later(count));
const amounts = async (id: string) => (await biller.periods(id)).map(({ amount, paid }) => [amount, paid]);
const announced = (id: string): Promise<Row[]> =>
  call("GET", `/events?type=subscription.price_changing&subscription_id=${id}`, { key: biller.key }).then(
    ({ json }) => json.data,
  );
const mails = (id: string) => db.email.findMany({ where: { subscription_id: id, template: "price_changing" } });
const forecastOf = async (span: number) => (await biller.get(`/subscriptions/forecast?days=${span}`)).totals;

it("existing subscriptions keep their price unless the request says otherwise", async () => {
  const id = await active();
  expect((await put("1700")).json.data.amount).toBe(17);
  expect(await biller.subscription(id)).toMatchObject({ amount: 15, amount_cents: 1500, price_change: null });
  const later = await active("grace@example.com");
  expect((await biller.subscription(later)).amount).toBe(17);
  expect(await forecastOf(40)).toMatchObject([{ amount: 32, count: 2 }]);
  const { months } = await biller.get("/subscriptions/forecast?days=70");
  expect(months).toMatchObject([
    { currency: "EUR", amount: 32, amount_cents: 3200, count: 2 },
    { currency: "EUR", amount: 32, amount_cents: 3200, count: 2 },
  ]);
  expect((await biller.get("/reports/overview")).recurring).toMatchObject([{ amount: 32, subscriptions: 2 }]);
  await call("POST", `/packages/${packageId}/cancel`, { key: biller.key, body: {} });
  await days(32);
  expect(await amounts(id)).toEqual([15, 15].map((amount) => [amount, true]));
  expect(await announced(id)).toEqual([]);
});

it("a new price is announced, and charged from the first period after the notice", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 10 } });
  const id = await active();
  const { next_charge_at } = await biller.subscription(id);
  // The next period begins in fewer days than the notice takes, so it costs the old price.
  await biller.advance(new Date(Date.parse(String(next_charge_at)) - 9 * dayMs).toISOString());
  await put("1700", "new_price");
  await biller.advance(String(next_charge_at));
  const changing = await biller.subscription(id);
  expect(changing).toMatchObject({ amount: 15, price_change: { amount: 17, from: changing.next_charge_at } });
  const [event, ...more] = await announced(id);
  const at = Date.parse(String(event?.created_at));
  expect([more, (await mails(id)).length]).toEqual([[], 1]);
  expect(Date.parse(String(changing.next_charge_at)) - at).toBeGreaterThanOrEqual(10 * dayMs);
  expect(await forecastOf(80)).toMatchObject([{ amount: 34, count: 2 }]);
  await days(40);
  expect(await amounts(id)).toEqual([15, 15, 17].map((amount) => [amount, true]));
  expect(await biller.subscription(id)).toMatchObject({ amount: 17, price_change: null });
  const text = String((await biller.get(`/emails/${(await mails(id))[0]?.id}`)).text);
  for (const words of ["€15.00 a month", "€17.00 a month", "changes on"]) expect(text).toContain(words);
});

it("the timeline names the day of a new price in the business's time zone", async () => {
  const date_charge_start = (await biller.later(2)).slice(0, 10);
  packageId = await biller.createPackage({ date_charge_start });
  await biller.saveCard(email);
  const id = await biller.subscribe(packageId, email);
  await days(3);
  const changed = { ...body, date_charge_start, amount: "1700", existing_subscriptions: "new_price" };
  expect((await call("PUT", `/packages/${packageId}`, { key: biller.key, body: changed })).status).toBe(200);
  await expect.poll(async () => (await announced(id)).length).toBe(1);
  // The period begins at midnight in Berlin, which is the evening before in UTC.
  const { from } = (await biller.subscription(id)).price_change as unknown as { from: string };
  const day = new Date(from).toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "Europe/Berlin" });
  const timeline = (await biller.get(`/subscriptions/${id}/timeline`)) as unknown as Row[];
  const entry = timeline.find(({ type }) => type === "subscription.price_changing");
  expect(entry?.detail).toBe(`From the period that begins on ${day}.`);
});

it("the notice is never shorter than three days, and periods of a downtime cost what was announced", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { renewal_notice_days: 0 } });
  packageId = (
    await call("POST", "/packages", { key: biller.key, body: { ...body, frequency: "daily", amount: "1500" } })
  ).json.data._id;
  const id = await active();
  const reply = await call("PUT", `/packages/${packageId}`, {
    key: biller.key,
    body: { ...body, frequency: "daily", amount: "1400", existing_subscriptions: "new_price" },
  });
  expect(reply.status).toBe(200);
  await expect.poll(async () => (await announced(id)).length).toBe(1);
  // As after a downtime: no worker bills until the periods have begun.
  await db.business.update({
    where: { id: biller.merchant.businessId },
    data: { test_clock_ahead: BigInt(5.5 * dayMs) },
  });
  await biller.billed(id, 6);
  expect((await biller.periods(id)).map(({ amount }) => amount)).toEqual([15, 15, 15, 15, 14, 14]);
});

it("a second change replaces the first, and those who end are not told", async () => {
  const id = await active();
  const ending = await active("ending@example.com");
  await biller.put(ending, { cancel_at_period_end: true });
  await put("1700", "new_price");
  await expect.poll(async () => (await announced(id)).length).toBe(1);
  await put("1800", "new_price");
  await expect.poll(async () => (await announced(id)).length).toBe(2);
  expect((await biller.subscription(id)).price_change).toMatchObject({ amount: 18 });
  expect(await announced(ending)).toEqual([]);
  await days(35);
  expect((await amounts(id)).map(([amount]) => amount)).toEqual([15, 18]);
});

it("a preview names the subscriptions and the dates that the announcement then brings", async () => {
  const id = await active();
  const ended = await active("ended@example.com");
  await biller.put(ended, { status: "cancel" });
  const preview = async (amount: string) =>
    (await call("GET", `/packages/${packageId}/price-change?amount=${amount}&with_total=true`, { key: biller.key }))
      .json;
  expect(await preview("1500")).toMatchObject({ data: [], meta: { total: 0 } });
  const { data, meta } = await preview("1700");
  expect(data).toMatchObject([{ _id: id, amount: 15, price_change: { amount: 17, amount_cents: 1700 } }]);
  expect(meta.total).toBe(1);
  expect((await biller.subscription(id)).price_change).toBeNull();
  await put("1700", "new_price");
  await expect.poll(async () => (await announced(id)).length).toBe(1);
  expect((await biller.subscription(id)).price_change).toEqual({ ...(data[0]?.price_change as Row), told: true }); // at once, in test mode
  expect(await preview("1700")).toMatchObject({ data: [] });
});

it("a preview refuses an amount that no package can have, and another business's package", async () => {
  const { key } = biller;
  for (const query of ["", "?amount=0", "?amount=12.50", "?amount=x"])
    expect((await call("GET", `/packages/${packageId}/price-change${query}`, { key })).json.errors.amount).toHaveLength(
      1,
    );
  const yen = await biller.createPackage({ currency: "JPY", amount: "1500" });
  const { json } = await call("GET", `/packages/${yen}/price-change?amount=1550`, { key });
  expect(json.errors).toEqual({ amount: ["The amount must be a multiple of 100: the currency has no minor unit."] });
  const other = await createBiller();
  const reply = await call("GET", `/packages/${packageId}/price-change?amount=1700`, { key: other.key });
  expect(reply.status).toBe(404);
});
