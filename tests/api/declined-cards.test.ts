import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt, post, saveCardAt } from "@/tests/support/checkout";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create, savedCard } from "@/tests/support/samples";
import { type Biller, createBiller } from "@/tests/support/subscribers";

// A hard decline belongs to the card; dunning is the same for every reason.

const dead = "4000000000005084"; // expires once saved
const poor = "4000000000000341"; // declined softly once saved
const email = "ada@example.com";

let biller: Biller;
beforeEach(async () => {
  biller = await createBiller();
});

/** Paid by hand, so that the subscription is active; then without a card, or with one that fails. */
async function owing(number?: string): Promise<string> {
  const id = await biller.subscribe(await biller.createPackage({ frequency: "quarterly" }), email);
  await biller.billed(id, 1);
  await payAt(`/pay?id=${(await biller.periods(id))[0]?._id}`);
  if (number) await biller.saveCard(email, number);
  await biller.advance(String((await biller.subscription(id)).next_charge_at));
  return id;
}

const days = async (count: number) => biller.advance(await biller.later(count));
const paymentsOf = (link: Row | undefined) => db.payment.count({ where: { payment_link_id: String(link?._id) } });

/** The mails about the second period: template and whole days after its start. */
async function mailsOf(id: string): Promise<[string, number][]> {
  const [, period] = await biller.periods(id);
  const { _id, period_start } = period as Row;
  const mails = await db.email.findMany({ where: { payment_link_id: String(_id) }, orderBy: { created_at: "asc" } });
  const day = (at: Date) => Math.floor((at.getTime() - Date.parse(String(period_start))) / 86_400_000);
  return mails.map(({ template, created_at }) => [template, day(created_at)]);
}

const textOf = async (id: string, nth: number): Promise<string> => {
  const { _id } = (await biller.periods(id))[1] ?? {};
  const mails = await db.email.findMany({ where: { payment_link_id: String(_id) }, orderBy: { created_at: "asc" } });
  return String((await biller.get(`/emails/${mails[nth]?.id}`)).text);
};

it("a declined card is charged once, for one period only, and reminders come on the dunning days", async () => {
  const id = await owing(dead);
  await days(22);
  const [, second] = await biller.periods(id);
  expect(await biller.subscription(id)).toMatchObject({ status: "unpaid" });
  expect([second?.attempt_count, second?.next_attempt_at, await paymentsOf(second)]).toEqual([1, null, 1]);
  expect(await mailsOf(id)).toEqual([
    ["payment_failed", 0],
    ...[2, 7, 14, 21].map((day): [string, number] => ["payment_link", day]),
  ]);
  const [first, reminder] = [await textOf(id, 0), await textOf(id, 1)];
  for (const text of [first, reminder]) expect(text).toContain("Use another card");
  expect(first).toContain("We won’t charge this card again");
  expect(reminder).toContain("won’t try that card again");
  const [card] = (await biller.get(`/tokenizations?email=${email}`)) as unknown as Row[];
  expect(card).toMatchObject({ status: "active", decline_reason: "expired_card" });
  await payAt(`/pay?id=${second?._id}`);
  await days(100);
  const third = (await biller.periods(id))[2];
  expect([third?.attempt_count, await paymentsOf(third)]).toEqual([0, 0]);
});

it("no card, a soft and a hard decline bring mails on the same days", async () => {
  const none = await owing();
  await days(22);
  expect((await mailsOf(none)).map(([, day]) => day)).toEqual([0, 2, 7, 14, 21]);
  biller = await createBiller();
  const soft = await owing(poor);
  await days(22);
  expect(await mailsOf(soft)).toEqual([0, 2, 7, 14, 21].map((day) => ["payment_failed", day]));
  expect(await textOf(soft, 0)).toContain("do nothing: we’ll try the card again on");
  expect(await textOf(soft, 4)).toContain("We won’t retry this card");
});

it("an older usable card is charged instead", async () => {
  const id = await biller.subscribe(await biller.createPackage({ date_charge_start: "2026-12-15" }), email);
  await biller.saveCard(email);
  await biller.saveCard(email, dead);
  await days(40);
  const [first] = await biller.periods(id);
  expect([first?.paid, first?.attempt_count, await paymentsOf(first)]).toEqual([true, 2, 2]);
  expect((await biller.subscription(id)).status).toBe("active");
});

it("a payer who pays by hand is led to save a card, which is charged from then on", async () => {
  const id = await owing(dead);
  const link = (await biller.periods(id))[1]?._id;
  const { location } = await payAt(`/pay?id=${link}`);
  const page = async () => (await fetch(`${baseUrl()}/thank-you?id=${link}`)).text();
  expect(location).toBe(`/thank-you?id=${link}`);
  expect(await page()).toContain("Save a card for the next periods");
  const activation = (await post(`/thank-you?id=${link}`, {})).location;
  expect((await post(`/thank-you?id=${link}`, {})).location).toBe(activation);
  await saveCardAt(activation);
  expect(await page()).not.toContain("Save a card");
  expect((await post(`/thank-you?id=${link}`, {})).location).toBe(`/thank-you?id=${link}`);
  await days(100);
  expect((await biller.periods(id))[2]).toMatchObject({ paid: true, attempt_count: 1 });
});

it("a declined card is refused for any link without asking the gateway, until it is saved anew", async () => {
  const token = await savedCard(biller.key, dead);
  const charge = async (link: string, token: string) =>
    call("POST", `/payment-links/${link}/charge`, { key: biller.key, body: { token } });
  const [first, second] = [await create(biller.key, "payment_links"), await create(biller.key, "payment_links")];
  expect((await charge(first, token)).status).toBe(402);
  const refused = await charge(second, token);
  expect([refused.status, refused.json.code, refused.json.reason]).toEqual([402, "payment_declined", "expired_card"]);
  expect(await paymentsOf({ _id: second } as unknown as Row)).toBe(0);
  const types = (await call("GET", "/events?type=tokenization.declined", { key: biller.key })).json.data;
  expect(types).toHaveLength(1);
  const anew = await savedCard(biller.key);
  expect((await charge(second, anew)).json.data.paid).toBe(true);
});
