import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { payAt } from "@/tests/support/checkout";
import { call } from "@/tests/support/http";
import { type Biller, createBiller } from "@/tests/support/subscribers";

let biller: Biller;

describe("a subscription with a saved card", () => {
  beforeAll(async () => {
    biller = await createBiller();
  });

  it("is charged immediately, then on each period's first day", async () => {
    await biller.saveCard("ada@example.com");
    const id = await biller.subscribe(await biller.createPackage(), "ada@example.com");
    await biller.becomes(id, "active");
    const first = await biller.subscription(id);
    expect(first.payment_links).toMatchObject([{ paid: true, amount: 15, title: "Reading club", attempt_count: 1 }]);
    await biller.advance(await biller.later(100));
    const after = await biller.subscription(id);
    expect((await biller.periods(id)).map(({ paid }) => paid)).toEqual([true, true, true, true]);
    const starts = (await biller.periods(id)).map(({ period_start }) => String(period_start));
    const ends = (await biller.periods(id)).map(({ period_end }) => String(period_end));
    expect(starts.slice(1)).toEqual(ends.slice(0, -1));
    expect(after.next_charge_at).toBe(ends.at(-1));
    const payments = (
      await call("GET", `/payments?payment_link_id=${after.payment_links[0]?._id}`, { key: biller.key })
    ).json.data;
    expect(payments).toMatchObject([{ status: "succeeded", tokenization_id: expect.stringMatching(/^tkn_/) }]);
    const recorded = await db.sandboxCharge.findMany({
      where: { subscription: id },
      orderBy: { period: "asc" },
      select: { link: true, period: true },
    });
    const links = await biller.periods(id);
    expect(recorded).toEqual(links.map(({ _id: link }, period) => ({ link, period })));
  });
});

describe("31 January", () => {
  it("is followed by 28 February and 31 March, at midnight in Berlin", async () => {
    biller = await createBiller();
    const year = new Date().getUTCFullYear() + 1;
    await biller.saveCard("ada@example.com");
    const id = await biller.subscribe(
      await biller.createPackage({ date_charge_start: `${year}-01-31` }),
      "ada@example.com",
    );
    const before = await biller.subscription(id);
    expect([before.status, before.payment_links]).toEqual(["created", []]);
    await biller.advance(`${year}-01-31T00:00:00+01:00`);
    expect((await biller.subscription(id)).status).toBe("active");
    await biller.advance(`${year}-04-01T00:00:00+02:00`);
    const february = year % 4 === 0 ? 28 : 27;
    expect((await biller.periods(id)).map(({ period_start }) => period_start)).toEqual([
      `${year}-01-30T23:00:00.000000Z`,
      `${year}-02-${february}T23:00:00.000000Z`,
      `${year}-03-30T22:00:00.000000Z`,
    ]);
  });
});

describe("dunning", () => {
  beforeAll(async () => {
    biller = await createBiller();
  });

  it("retries on days 2, 7, 14 and 21, then ends by the business's policy", async () => {
    const email = "poor@example.com";
    await biller.saveCard(email, "4000000000009995");
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    await expect.poll(async () => (await biller.subscription(id)).payment_links[0]?.attempt_count).toBe(1);
    const first = await biller.subscription(id);
    // Without any payment, a subscription cannot become past due.
    expect(first.status).toBe("created");
    const failedAt =
      (await db.paymentLink.findFirstOrThrow({ where: { subscription_id: id } })).failed_at?.getTime() ?? 0;
    for (const [i, days] of [2, 7, 14, 21].entries()) {
      const next = String((await biller.subscription(id)).payment_links[0]?.next_attempt_at);
      expect(Math.round((Date.parse(next) - failedAt) / 86_400_000)).toBe(days);
      await biller.advance(new Date(Date.parse(next) + 1000).toISOString());
      expect((await biller.subscription(id)).payment_links[0]?.attempt_count).toBe(i + 2);
    }
    const ended = await biller.subscription(id);
    expect(ended).toMatchObject({ status: "cancel", next_charge_at: null });
    expect(ended.payment_links[0]).toMatchObject({ status: "Inactive", next_attempt_at: null });
  });

  it("charges immediately when the payer saves another card", async () => {
    const email = "grace@example.com";
    await biller.saveCard(email);
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.becomes(id, "active");
    await biller.saveCard(email, "4000000000000341");
    await biller.advance(await biller.later(32));
    expect((await biller.subscription(id)).status).toBe("past_due");
    await biller.saveCard(email);
    await biller.becomes(id, "active");
    expect((await biller.periods(id)).map(({ paid }) => paid)).toEqual([true, true]);
  });

  it("ends when the payer pays by hand", async () => {
    const email = "hand@example.com";
    const id = await biller.subscribe(await biller.createPackage(), email);
    await biller.billed(id, 1);
    expect((await biller.subscription(id)).status).toBe("created");
    const [link] = (await biller.subscription(id)).payment_links;
    await payAt(`/pay?id=${link?._id}`);
    expect((await biller.subscription(id)).status).toBe("active");
    await biller.advance(await biller.later(32));
    expect((await biller.subscription(id)).status).toBe("active");
    await biller.advance(await biller.later(3));
    const late = await biller.subscription(id);
    expect([late.status, late.payment_links[0]?.attempt_count]).toEqual(["past_due", 0]);
    await payAt(`/pay?id=${late.payment_links[0]?._id}`);
    expect((await biller.subscription(id)).status).toBe("active");
  });
});

it("refuses an advance of the test clock that would open too many periods", async () => {
  const biller = await createBiller();
  const daily = await biller.createPackage({ frequency: "daily" });
  const first = await biller.subscribe(daily, "ada@example.com");
  await biller.billed(first, 1);
  const { id: _, ...row } = await db.subscription.findUniqueOrThrow({ where: { id: first } });
  await db.subscription.createMany({
    data: Array.from({ length: 14 }, (_, index) => ({ ...row, id: newId("sub"), email: `payer${index}@example.com` })),
  });
  const refused = await call("POST", "/test-clock", { key: biller.key, body: { to: await biller.later(730) } });
  expect(refused.status).toBe(422);
  expect(refused.json.errors.to?.[0]).toMatch(
    /^The to would open about 10,9\d\d periods of subscriptions\. At most 10,000 /,
  );
  const { status } = await biller.get("/test-clock");
  expect(status).toBe("ready");
  await biller.advance(await biller.later(1));
});
