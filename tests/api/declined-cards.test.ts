import { beforeEach, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt, post, saveCardAt } from "@/tests/support/checkout";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create, savedCard } from "@/tests/support/samples";
import { hastenDecisions } from "@/tests/support/sandbox-decisions";
import { type Biller, createBiller } from "@/tests/support/subscribers";

// A hard decline belongs to the card; dunning is the same for every reason.

const dead = "4000000000005084"; // expires once saved
const poor = "4000000000000341"; // declined softly once saved
const declinedLate = "4000000000005050"; // declined softly ten seconds after its charge
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
  expect(reminder).toContain("couldn’t charge your saved card for this period");
  const [card] = (await biller.get(`/tokenizations?email=${email}`)) as unknown as Row[];
  expect(card).toMatchObject({ status: "active", decline_reason: "expired_card" });
  await payAt(`/pay?id=${second?._id}`, undefined, false);
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

const payPage = async (link: Row | undefined) => (await fetch(`${baseUrl()}/pay?id=${link?._id}`)).text();
const boxOf = (page: string) => /<input[^>]*name="save_card"[^>]*>/.exec(page)?.[0];

it("a payer who pays by hand replaces a declined card", async () => {
  const id = await owing(dead);
  const [, second] = await biller.periods(id);
  const page = await payPage(second);
  expect(boxOf(page)).toContain("checked");
  expect(page).toMatch(/Next charge: .+ for .+ on /);
  expect((await payAt(`/pay?id=${second?._id}`)).location).toBe(`/thank-you?id=${second?._id}`);
  const cards = (await biller.get(`/tokenizations?email=${email}`)) as unknown as Row[];
  expect(cards[0]).toMatchObject({ status: "active", declined_at: null, card: { last4: "4242", exp_year: 2040 } });
  expect(cards).toHaveLength(2);
  await days(100);
  expect((await biller.periods(id))[2]).toMatchObject({ paid: true, attempt_count: 1 });
});

it.each([
  ["a payer's confirmation", "4000000000003220"],
  ["a late decision", "4000000000005043"],
])("a card is saved once its payment has succeeded: %s", async (_, number) => {
  const id = await owing(dead);
  const [, second] = await biller.periods(id);
  const { location } = await payAt(`/pay?id=${second?._id}`, number);
  const cards = () => db.tokenization.count({ where: { business_id: biller.merchant.businessId, declined_at: null } });
  expect(await cards()).toBe(0);
  if (location.startsWith("/sandbox/3ds/")) await post(location, { answer: "approve" });
  else await hastenDecisions(biller.merchant.businessId);
  await expect.poll(cards).toBe(1);
  expect((await biller.periods(id))[1]).toMatchObject({ paid: true });
});

it("a payer who has never saved a card must agree to it first", async () => {
  const id = await owing();
  const [, second] = await biller.periods(id);
  const box = boxOf(await payPage(second));
  expect(box).toBeDefined();
  expect(box).not.toContain("checked");
  await payAt(`/pay?id=${second?._id}`);
  expect(await biller.get(`/tokenizations?email=${email}`)).toEqual([]);
});

it.each([
  ["declined at once", "4000000000000002", dead, false],
  ["declined at once, without an earlier card", "4000000000000002", undefined, true],
  ["rejected at the bank", "4000000000003220", dead, false],
])("a payer's choice to save the card outlasts a decline: %s", async (_, number, earlier, chosen) => {
  const id = await owing(earlier);
  const [, second] = await biller.periods(id);
  let { location } = await payAt(`/pay?id=${second?._id}`, number, chosen);
  if (location.startsWith("/sandbox/3ds/")) {
    ({ location } = await post(location, { answer: "reject" }));
    const waiting = await fetch(`${baseUrl()}${location}`, { redirect: "manual" });
    location = waiting.headers.get("location") ?? "";
  }
  const page = await (await fetch(`${baseUrl()}${location}`)).text();
  expect(page).toContain("Payment failed");
  expect(boxOf(page)?.includes("checked")).toBe(chosen);
});

it("the choice not to save the card outlasts the way to the bank transfer and back, which shows nobody else's decline", async () => {
  const bank = { bank_holder: "Blue Bottle Books", bank_iban: "DE89370400440532013000" };
  expect((await call("PUT", "/settings", { key: biller.merchant.liveKey, body: bank })).status).toBe(200);
  const id = await owing(dead);
  // A mistyped number, so that the only attempt is the earlier one of the saved card.
  const { status, text } = await payAt(`/pay?id=${(await biller.periods(id))[1]?._id}`, "4242424242424241", false);
  expect(status).toBe(422);
  const follow = async (page: string, label: string) => {
    const path = (new RegExp(`href="([^"]+)">${label}<`).exec(page)?.[1] ?? "").replaceAll("&amp;", "&");
    const reply = await fetch(`${baseUrl()}${path}`);
    return { status: reply.status, text: await reply.text() };
  };
  const transfer = await follow(text, "Pay by bank transfer");
  expect(transfer.text).toContain("DE89 3704 0044 0532 0130 00");
  const form = await follow(transfer.text, "Pay by card instead");
  expect([form.status, boxOf(form.text)?.includes("checked")]).toEqual([200, false]);
  expect(form.text).not.toContain("Payment failed");
});

it("an address without the payer's own attempt does not tick the box", async () => {
  const id = await owing();
  const link = (await biller.periods(id))[1]?._id;
  const box = async (query: string) => boxOf(await (await fetch(`${baseUrl()}/pay?id=${link}&${query}`)).text());
  for (const query of ["save=1", "save=1&attempt=", "save=1&attempt=pay_1"])
    expect(await box(query), query).not.toContain("checked");
});

it("the pay page names what else the card is charged, and then it is", async () => {
  const other = await biller.subscribe(await biller.createPackage({ name: "Wine club", amount: "4000" }), email);
  await biller.billed(other, 1);
  await payAt(`/pay?id=${(await biller.periods(other))[0]?._id}`);
  const id = await owing();
  const [, second] = await biller.periods(id);
  const page = await payPage(second);
  expect(page).toContain("will be charged to this card too, if you save it");
  expect(page).toContain("Wine club");
  const owed = (await biller.periods(other)).length;
  await payAt(`/pay?id=${second?._id}`, undefined, true);
  await days(1);
  expect((await biller.periods(other)).slice(0, owed).map(({ paid }) => paid)).toEqual(Array(owed).fill(true));
});

it("no card is saved where none was offered", async () => {
  const link = await create(biller.key, "payment_links");
  const { amount_cents, currency } = await db.paymentLink.findUniqueOrThrow({ where: { id: link } });
  const form = { number: "4242424242424242", expiry: "12/40", cvc: "123", save_card: "1", currency };
  const { location } = await post(`/pay?id=${link}`, { ...form, amount_cents: String(amount_cents) });
  expect(location).toBe(`/thank-you?id=${link}`);
  expect(await db.sandboxCard.count({ where: { account: String(biller.merchant.businessId) } })).toBe(0);
});

it("a payer who saves no card is led to a page that does, and that card is charged from then on", async () => {
  const id = await owing(dead);
  const link = (await biller.periods(id))[1]?._id;
  const { location } = await payAt(`/pay?id=${link}`, undefined, false);
  const page = async () => (await fetch(`${baseUrl()}/thank-you?id=${link}`)).text();
  expect(location).toBe(`/thank-you?id=${link}`);
  expect(await page()).toContain("No card is saved for future payments");
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

it.each([
  ["the charge of a card that is declined late", () => biller.saveCard(email, declinedLate)],
  [
    "a payer's attempt that the bank refuses",
    async (link: Row | undefined) => {
      const { location } = await payAt(`/pay?id=${link?._id}`, "4000000000003220", false);
      return location;
    },
  ],
])("a card saved during %s is charged as soon as that has failed", async (_, begin) => {
  const id = await owing(poor);
  const second = async () => (await biller.periods(id))[1];
  const page = await begin(await second());
  await expect.poll(async () => (await second())?.status).toBe("Processing");
  const tokenization = await create(biller.key, "tokenizations", { email });
  const { token } = await biller.get(`/tokenizations/${tokenization}`);
  const form = await (await fetch(`${baseUrl()}/activate/${token}`)).text();
  expect(form).toContain("Save card and pay €15.00");
  await saveCardAt(`/activate/${token}`);
  expect(await second()).toMatchObject({ status: "Processing" });
  if (page.startsWith("/sandbox/3ds/")) await post(page, { answer: "reject" });
  else await hastenDecisions(biller.merchant.businessId);
  await expect.poll(second).toMatchObject({ paid: true });
  expect((await biller.subscription(id)).status).toBe("active");
});

it("the gateway's own trouble on the last dunning day is retried within the hour", async () => {
  const id = await owing(poor);
  await days(15);
  const behave = (behaviour: string) =>
    db.sandboxCard.updateMany({ where: { account: String(biller.merchant.businessId) }, data: { behaviour } });
  expect((await behave("processing_error")).count).toBeGreaterThan(0);
  const [, second] = await biller.periods(id);
  await biller.advance(String(second?.next_attempt_at));
  await biller.advance(new Date(Date.parse(String(second?.next_attempt_at)) + 2 * 3_600_000).toISOString());
  expect((await biller.subscription(id)).status).toBe("past_due");
  await behave("succeed");
  await days(1);
  expect((await biller.periods(id))[1]).toMatchObject({ paid: true });
  expect((await biller.subscription(id)).status).toBe("active");
});

it("the gateway's own trouble on a later dunning day is mailed once it counts as a failure", async () => {
  const id = await owing(poor);
  const account = String(biller.merchant.businessId);
  await db.sandboxCard.updateMany({ where: { account }, data: { behaviour: "processing_error" } });
  const step = (await biller.periods(id))[1]?.next_attempt_at;
  const hoursAfterStep = async (hours: number) =>
    biller.advance(new Date(Date.parse(String(step)) + hours * 3_600_000).toISOString());
  await hoursAfterStep(2);
  expect(await mailsOf(id)).toEqual([["payment_failed", 0]]);
  await hoursAfterStep(4);
  expect(await mailsOf(id)).toEqual([0, 2].map((day) => ["payment_failed", day]));
});

it("a card saved on a stopped test clock, during a charge, is charged at once too", async () => {
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.billed(id, 1);
  await payAt(`/pay?id=${(await biller.periods(id))[0]?._id}`);
  await biller.saveCard(email, declinedLate);
  const arrived = biller.advance(await biller.later(32));
  const second = async () => (await biller.periods(id))[1];
  await expect.poll(async () => (await second())?.status, { interval: 50 }).toBe("Processing");
  await biller.saveCard(email);
  await hastenDecisions(biller.merchant.businessId);
  await arrived;
  await expect.poll(second).toMatchObject({ paid: true });
});

it("the gateway's own trouble with a charge by staff does not begin the charges of an unpaid subscription again", async () => {
  const id = await owing(poor);
  await days(22);
  expect((await biller.subscription(id)).status).toBe("unpaid");
  const account = String(biller.merchant.businessId);
  await db.sandboxCard.updateMany({ where: { account }, data: { behaviour: "processing_error" } });
  const [, second] = await biller.periods(id);
  const [{ token } = {} as Row] = (await biller.get(`/tokenizations?email=${email}`)) as unknown as Row[];
  const body = { token };
  expect((await call("POST", `/payment-links/${second?._id}/charge`, { key: biller.key, body })).status).toBe(402);
  expect(await paymentsOf(second)).toBe(6);
  await days(1);
  expect(await paymentsOf(second)).toBe(6);
});
