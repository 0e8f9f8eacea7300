import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt, post as postForm, saveCardAt } from "@/tests/support/checkout";
import { createKey } from "@/tests/support/factory";
import { baseUrl, call, type Row } from "@/tests/support/http";
import { create } from "@/tests/support/samples";
import { type Biller, createBiller } from "@/tests/support/subscribers";

// The state table of docs/billing.md, move by move, by the test clock.

let biller: Biller;
const email = "ada@example.com";
const hardDeclined = "4000000000005084"; // can be charged by its payer; expires once saved
const alwaysDeclined = "4000000000000341";

beforeEach(async () => {
  biller = await createBiller();
});

async function active(over: Record<string, unknown> = {}): Promise<{ id: string; packageId: string }> {
  await biller.saveCard(email);
  const packageId = await biller.createPackage(over);
  const id = await biller.subscribe(packageId, email);
  await biller.becomes(id, "active");
  return { id, packageId };
}

const days = async (count: number) => biller.advance(await biller.later(count));
const isAhead = (at: unknown, clock: Row) => Date.parse(String(at)) > Date.parse(String(clock.now));
/** The day of the month where the businesses of tests are. */
const dayInBerlin = (at: unknown) =>
  new Intl.DateTimeFormat("en", { day: "numeric", timeZone: "Europe/Berlin" }).format(new Date(String(at)));
const post = (path: string) => call("POST", path, { key: biller.key, body: {} });
const linkIds = async (id: string) => (await biller.periods(id)).map(({ _id }) => String(_id));

it("pause opens no periods; resume skips the missed ones and keeps the calendar", async () => {
  const { id } = await active();
  const { next_charge_at } = await biller.subscription(id);
  expect((await biller.put(id, { status: "paused" })).json.data).toMatchObject({
    status: "paused",
    next_charge_at: null,
  });
  await days(100);
  expect(await biller.periods(id)).toHaveLength(1);
  const resumed = (await biller.put(id, { status: "active" })).json.data;
  expect(resumed.status).toBe("active");
  expect(dayInBerlin(resumed.next_charge_at)).toBe(dayInBerlin(next_charge_at));
  expect(isAhead(resumed.next_charge_at, await biller.get("/test-clock"))).toBe(true);
  expect([resumed.current_period_start, resumed.current_period_end]).toEqual([null, null]);
  await days(31);
  expect((await biller.periods(id)).map(({ paid }) => paid)).toEqual([true, true]);
});

describe("cancel now", () => {
  const confirmed = "4000000000003220"; // waits for its payer at the bank

  /** Without a card, so that its first period waits for the payer. */
  async function owing(): Promise<{ id: string; link: string }> {
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    return { id, link: (await linkIds(id))[0] ?? "" };
  }
  const linkOf = (link: string) => biller.get(`/payment-links/${link}`);

  it("stops all charges and closes open links; the pay page says why, and staff can activate them again", async () => {
    const { id, link } = await owing();
    const cancelled = (await biller.put(id, { status: "cancel" })).json.data;
    expect(cancelled).toMatchObject({
      status: "cancel",
      next_charge_at: null,
      payment_links: [{ status: "Inactive" }],
    });
    await days(70);
    expect(await biller.periods(id)).toHaveLength(1);
    const page = await fetch(`${baseUrl()}/pay?id=${link}`);
    expect([page.status, (await page.text()).includes("This subscription has ended")]).toEqual([410, true]);
    const { data } = (await call("GET", `/payment-links/${link}/timeline`, { key: biller.key })).json;
    expect(data.map(({ text }: Row) => text)).toContain("Payment link changed: €15.00, inactive");
    expect((await post(`/payment-links/${link}/activate`)).json.data.status).toBe("Active");
    await payAt(`/pay?id=${link}`, "4000000000000002");
    expect((await linkOf(link)).status).toBe("Active");
    await payAt(`/pay?id=${link}`);
    expect(await biller.subscription(id)).toMatchObject({ status: "cancel", payment_links: [{ paid: true }] });
  });

  it("keeps open links payable if the request says so", async () => {
    const { id, link } = await owing();
    await biller.put(id, { status: "cancel", close_links: false });
    await payAt(`/pay?id=${link}`);
    expect(await biller.subscription(id)).toMatchObject({ status: "cancel", payment_links: [{ paid: true }] });
  });

  it("closes a link in flight when its payment fails", async () => {
    const { id, link } = await owing();
    await payAt(`/pay?id=${link}`, confirmed);
    expect((await linkOf(link)).status).toBe("Processing");
    await biller.put(id, { status: "cancel" });
    expect((await linkOf(link)).status).toBe("Processing");
    await postForm(`/pay?id=${link}`, { action: "cancel" });
    expect((await linkOf(link)).status).toBe("Inactive");
  });
});

it("cancel at period end makes the current period the last, and can be undone", async () => {
  const { id } = await active();
  expect((await biller.put(id, { cancel_at_period_end: true })).json.data.status).toBe("active");
  expect((await biller.put(id, { cancel_at_period_end: false })).json.data.cancel_at_period_end).toBe(false);
  await days(32);
  expect(await biller.periods(id)).toHaveLength(2);
  await biller.put(id, { cancel_at_period_end: true });
  await days(32);
  expect(await biller.subscription(id)).toMatchObject({ status: "completed", next_charge_at: null });
  expect(await biller.periods(id)).toHaveLength(2);
});

it("cancel at period end completes a subscription whose last period has ended during a pause", async () => {
  const { id } = await active();
  await biller.put(id, { cancel_at_period_end: true });
  await biller.put(id, { status: "paused" });
  await days(60);
  await biller.put(id, { status: "active" });
  await biller.becomes(id, "completed");
  expect(await biller.periods(id)).toHaveLength(1);
});

describe("cancel at period end without a period to end", () => {
  it("before the first period: cancels at once, without a charge", async () => {
    await biller.saveCard(email);
    const date_charge_start = (await biller.later(30)).slice(0, 10);
    const id = await biller.subscribe(await biller.createPackage({ date_charge_start }), email);
    const reply = await biller.put(id, { cancel_at_period_end: true });
    expect([reply.status, reply.json.data.status, reply.json.data.next_charge_at]).toEqual([200, "cancel", null]);
    await days(40);
    expect(await biller.subscription(id)).toMatchObject({ status: "cancel", payment_links: [] });
  });

  it("unpaid: cancels at once; paused: is refused", async () => {
    const { id } = await active();
    await biller.put(id, { status: "paused" });
    const refused = await biller.put(id, { cancel_at_period_end: true });
    expect([refused.status, refused.json.code]).toEqual([409, "conflict"]);
    await biller.put(id, { status: "active" });
    await biller.saveCard(email, alwaysDeclined);
    await days(55);
    expect((await biller.subscription(id)).status).toBe("unpaid");
    const resumed = await biller.put(id, { status: "active", cancel_at_period_end: true });
    expect([resumed.status, resumed.json.message]).toEqual([
      409,
      "A subscription that is unpaid can not become active.",
    ]);
    expect((await biller.put(id, { cancel_at_period_end: true })).json.data.status).toBe("cancel");
    expect((await biller.periods(id)).at(-1)?.status).toBe("Inactive");
  });
});

describe("when the last dunning day has passed", () => {
  it("an unpaid subscription opens no periods; after a payment by hand it continues with the next one", async () => {
    const { id } = await active();
    await biller.saveCard(email, alwaysDeclined);
    await days(32);
    expect((await biller.subscription(id)).status).toBe("past_due");
    await days(22);
    expect(await biller.subscription(id)).toMatchObject({ status: "unpaid", next_charge_at: null });
    const owed = async () => (await biller.periods(id)).find(({ paid }) => !paid);
    const attempt_count = (await owed())?.attempt_count;
    await biller.put(id, { email: email.toUpperCase() }); // the same card: nothing is charged for it
    await days(60);
    expect(await owed()).toMatchObject({ email: email.toUpperCase(), attempt_count });
    const open = (await biller.periods(id)).filter(({ paid }) => !paid);
    expect(open).toHaveLength(1);
    await payAt(`/pay?id=${open[0]?._id}`);
    const after = await biller.subscription(id);
    expect(after.status).toBe("active");
    expect(isAhead(after.next_charge_at, await biller.get("/test-clock"))).toBe(true);
  });

  it("an unpaid subscription with several open periods continues when one is paid; the others are asked for again", async () => {
    const { id } = await active({ frequency: "weekly" });
    await biller.saveCard(email, alwaysDeclined);
    await days(40);
    expect((await biller.subscription(id)).status).toBe("unpaid");
    const [older, newer] = (await biller.periods(id)).filter(({ paid }) => !paid);
    await payAt(`/pay?id=${newer?._id}`);
    const after = await biller.subscription(id);
    expect([after.status, after.current_period_end]).toEqual(["active", null]);
    expect(isAhead(after.next_charge_at, await biller.get("/test-clock"))).toBe(true);
    const attempts = async () => (await biller.get(`/payment-links/${older?._id}`)).attempt_count;
    await expect.poll(attempts).toBe(Number(older?.attempt_count) + 1);
    await biller.becomes(id, "past_due");
  });

  it("an unpaid subscription stays unpaid when another card fails too, even if the dunning policy has changed", async () => {
    const { id } = await active();
    await biller.saveCard(email, alwaysDeclined);
    await days(55);
    expect((await biller.subscription(id)).status).toBe("unpaid");
    await call("PUT", "/settings", { key: biller.key, body: { dunning_end: "cancel" } });
    await biller.saveCard(email, alwaysDeclined);
    await expect.poll(async () => (await biller.periods(id)).at(-1)?.attempt_count).toBe(6);
    expect((await biller.subscription(id)).status).toBe("unpaid");
  });
});

describe("staff can waive the failed period", () => {
  it.each([["deactivated"], ["deleted"]])("%s: is active again and keeps its calendar", async (how) => {
    const { id } = await active();
    await biller.saveCard(email, alwaysDeclined);
    await days(32);
    expect((await biller.subscription(id)).status).toBe("past_due");
    const failed = (await linkIds(id)).at(-1);
    if (how === "deleted") await call("DELETE", `/payment-links/${failed}`, { key: biller.key });
    else await post(`/payment-links/${failed}/deactivate`);
    expect((await biller.subscription(id)).status).toBe("active");
    await biller.saveCard(email);
    await days(31);
    expect((await biller.periods(id)).at(-1)).toMatchObject({ paid: true });
  });

  it("and ask for it again later: its dunning begins anew", async () => {
    const { id } = await active();
    await biller.saveCard(email, alwaysDeclined);
    await days(32);
    const failed = (await linkIds(id)).at(-1);
    await post(`/payment-links/${failed}/deactivate`);
    await biller.saveCard(email);
    await days(31);
    await biller.saveCard(email, alwaysDeclined);
    await post(`/payment-links/${failed}/activate`);
    await biller.becomes(id, "past_due");
    const reopened = await biller.get(`/payment-links/${failed}`);
    expect(isAhead(reopened.next_attempt_at, await biller.get("/test-clock"))).toBe(true);
  });

  it("a subscription that was never paid stays created", async () => {
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    await post(`/payment-links/${(await linkIds(id))[0]}/deactivate`);
    expect((await biller.subscription(id)).status).toBe("created");
  });
});

it("a newer period paid by hand does not retry a permanently declined card", async () => {
  const { id } = await active({ frequency: "weekly" });
  await db.tokenization.updateMany({ where: { business_id: biller.merchant.businessId }, data: { status: "revoked" } });
  await biller.saveCard(email, hardDeclined);
  await days(16); // two more periods: the card is tried for the older one only
  const [, older, newer] = await biller.periods(id);
  expect([older?.attempt_count, newer?.attempt_count]).toEqual([1, 0]);
  await payAt(`/pay?id=${newer?._id}`, undefined, false);
  await new Promise((resolve) => setTimeout(resolve, 3_000)); // longer than a poll of the worker
  const after = (await biller.periods(id))[1];
  expect([after?.status, after?.attempt_count, after?.next_attempt_at]).toEqual(["Active", 1, null]);
});

it("a newer period whose charge is declined is not announced for another day: the older one comes first", async () => {
  const { id } = await active({ frequency: "weekly" });
  const token = await biller.saveCard(email, alwaysDeclined);
  await days(16);
  const [, older, newer] = await biller.periods(id);
  const charged = await call("POST", `/payment-links/${newer?._id}/charge`, { key: biller.key, body: { token } });
  expect(charged.status, charged.text).toBe(402);
  const after = await biller.periods(id);
  expect(after[1]?.next_attempt_at).toBe(older?.next_attempt_at);
  expect(after[2]).toMatchObject({ status: "Active", attempt_count: 1, next_attempt_at: null });
});

it.each([
  ["charges the older one first", true],
  ["without a usable card leaves the older one its dunning days", false],
])("a newer period that is activated again %s", async (_, hasCard) => {
  const { id } = await active({ frequency: "weekly" });
  const { businessId: business_id } = biller.merchant;
  if (hasCard) await biller.saveCard(email, alwaysDeclined);
  else await db.tokenization.updateMany({ where: { business_id }, data: { status: "revoked" } });
  await days(15); // two more periods
  const [, older, newer] = await biller.periods(id);
  const mails = () => db.email.count({ where: { payment_link_id: String(older?._id) } });
  const before = await mails();
  for (const move of ["deactivate", "activate"]) await post(`/payment-links/${newer?._id}/${move}`);
  await days(0.1);
  expect(await mails()).toBe(before + Number(hasCard));
  await days(7);
  expect(await mails()).toBe(before + Number(hasCard) + 1);
});

it("without dunning days, a period without a card waits for its payer until the period ends", async () => {
  await call("PUT", "/settings", { key: biller.key, body: { dunning_days: [] } });
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.billed(id, 1);
  await days(20);
  expect((await biller.subscription(id)).status).toBe("created");
  await days(12);
  expect((await biller.subscription(id)).status).toBe("cancel");
});

it("without dunning days, a period that ended during a pause leaves its payer a day", async () => {
  const { id } = await active();
  await call("PUT", "/settings", { key: biller.key, body: { dunning_days: [] } });
  await biller.put(id, { email: "grace@example.com" });
  await days(32);
  await biller.put(id, { status: "paused" });
  await days(60);
  await biller.put(id, { status: "active" });
  await days(0.9);
  expect((await biller.subscription(id)).status).toBe("active");
  await days(0.2);
  expect((await biller.subscription(id)).status).toBe("unpaid");
  // No state is skipped.
  const events = await db.event.findMany({ where: { resource_id: id }, orderBy: { sequence: "desc" }, take: 2 });
  expect(events.map(({ type, data }) => [type, (data as Row).status])).toEqual([
    ["subscription.unpaid", "unpaid"],
    ["subscription.past_due", "past_due"],
  ]);
});

it("cancel at period end: when dunning ends before the period, the subscription is cancelled", async () => {
  const { id } = await active();
  await biller.saveCard(email, alwaysDeclined);
  await days(32);
  await biller.put(id, { cancel_at_period_end: true });
  expect((await biller.subscription(id)).status).toBe("past_due");
  await days(23);
  expect(await biller.subscription(id)).toMatchObject({ status: "cancel", ended_reason: "unpaid" });
});

it("a saved card whose gateway account cannot be used counts as none", async () => {
  const { id } = await active();
  await db.tokenization.updateMany({ where: { business_id: biller.merchant.businessId }, data: { gateway: "stripe" } });
  await days(32);
  const [, link] = await biller.periods(id);
  expect(link).toMatchObject({ status: "Active", attempt_count: 0, next_attempt_at: null });
  await days(3);
  expect((await biller.subscription(id)).status).toBe("past_due");
});

it("changes during settlement return their own result, and nothing is charged twice", async () => {
  await biller.saveCard(email);
  const packageId = await biller.createPackage({ frequency: "daily" });
  const ids = await Promise.all(
    Array.from({ length: 24 }, () => biller.subscribe(packageId, email, { allow_duplicate: true })),
  );
  const moves = [
    { status: "paused" },
    { status: "active" },
    { cancel_at_period_end: true },
    { email: "b@example.com", allow_duplicate: true },
    { email, allow_duplicate: true },
  ];
  const clock = biller.advance(await biller.later(12));
  const answers = new Map<number, number>();
  for (let round = 0; round < 12; round++) {
    const replies = await Promise.all(ids.map((id, i) => biller.put(id, moves[(i + round) % moves.length] ?? {})));
    for (const { status } of replies) answers.set(status, (answers.get(status) ?? 0) + 1);
    const [link] = await linkIds(ids[round] ?? "");
    if (link) {
      const reply = await post(`/payment-links/${link}/${round % 2 ? "activate" : "deactivate"}`);
      answers.set(reply.status, (answers.get(reply.status) ?? 0) + 1);
    }
  }
  await clock;
  expect([...answers.keys()].filter((status) => status !== 200 && status !== 409)).toEqual([]);
  const twice = await db.$queryRaw`
    SELECT payment_link_id FROM payment WHERE business_id = ${biller.merchant.businessId} AND status = 'succeeded'
     GROUP BY 1 HAVING count(*) > 1`;
  expect(twice).toEqual([]);
});

it("activating a period that is active already does not charge its card sooner", async () => {
  const { id } = await active();
  await biller.saveCard(email, alwaysDeclined);
  await days(32);
  const [, owed] = await biller.periods(id);
  expect(owed).toMatchObject({ status: "Active", next_attempt_at: expect.any(String) });
  expect((await post(`/payment-links/${owed?._id}/activate`)).json.data).toMatchObject({ status: "Active" });
  expect((await biller.periods(id))[1]).toMatchObject({
    attempt_count: owed?.attempt_count,
    next_attempt_at: owed?.next_attempt_at,
  });
});

it("cancel at period end, before a billing that is late has opened the first period, leaves only that one", async () => {
  await biller.saveCard(email);
  const date_charge_start = (await biller.later(30)).slice(0, 10);
  const id = await biller.subscribe(await biller.createPackage({ frequency: "daily", date_charge_start }), email);
  await db.$executeRaw`
    UPDATE subscription SET cancel_at_period_end = true, next_charge_at = next_charge_at - interval '33 days',
           anchor = to_char(anchor::timestamp - interval '33 days', 'YYYY-MM-DD"T"HH24:MI:SS')
     WHERE id = ${id}`;
  await biller.becomes(id, "completed");
  expect(await biller.periods(id)).toMatchObject([{ paid: true }]);
});

it("a deletion waits for a payment that begins meanwhile, and is refused", async () => {
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.billed(id, 1);
  const [link = ""] = await linkIds(id);
  const { deletion } = await db.$transaction(async (tx) => {
    await tx.paymentLink.update({ where: { id: link }, data: { status: "Processing" } });
    const deletion = call("DELETE", `/subscriptions/${id}`, { key: biller.key });
    await Promise.race([deletion, sleep(500)]);
    return { deletion: [deletion] };
  });
  const [reply] = await Promise.all(deletion);
  expect([reply?.status, reply?.json.code]).toEqual([409, "link_processing"]);
});

it("a payer whose new card is declined reads so, and not that it will be charged", async () => {
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.billed(id, 1);
  const { token } = await biller.get(`/tokenizations/${await create(biller.key, "tokenizations", { email })}`);
  await saveCardAt(`/activate/${token}`, alwaysDeclined);
  const thanks = async () => (await fetch(`${baseUrl()}/thank-you?token=${token}`)).text();
  await expect.poll(thanks, { timeout: 15_000 }).toContain("A payment was declined.");
  expect(await thanks()).not.toContain("in a moment");
});

it("only actors with subscriptions:write can change, waive and reopen a period", async () => {
  const { id } = await active();
  const [link] = await linkIds(id);
  const key = await createKey(biller.merchant, ["payment_links:write"]);
  const body = { email, currency: "EUR", amount: "3000000", title: "Reading club" };
  const replies = [
    await call("PUT", `/payment-links/${link}`, { key, body }),
    await call("POST", `/payment-links/${link}/deactivate`, { key, body: {} }),
    await call("POST", `/payment-links/${link}/activate`, { key, body: {} }),
    await call("DELETE", `/payment-links/${link}`, { key }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
});
