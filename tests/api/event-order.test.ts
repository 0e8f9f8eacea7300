import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt } from "@/tests/support/checkout";
import { call, type Row } from "@/tests/support/http";
import { type Biller, createBiller } from "@/tests/support/subscribers";

// Events of a payment come in the order of cause and effect: the payment first.

const email = "ada@example.com";
const declinedSoftly = "4000000000000341"; // once saved
const declinedForGood = "4000000000005084"; // once saved

let biller: Biller;
beforeEach(async () => {
  biller = await createBiller();
});

/** Without dunning days: the first failure is the last. The first period is paid, the second one fails. */
async function failing(settings: Record<string, unknown>, card: string | null): Promise<string> {
  await call("PUT", "/settings", { key: biller.key, body: { dunning_days: [], renewal_notice_days: 0, ...settings } });
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.becomes(id, "active");
  await db.tokenization.updateMany({ where: { business_id: biller.merchant.businessId }, data: { status: "revoked" } });
  if (card) await biller.saveCard(email, card);
  await biller.advance(await biller.later(32));
  return id;
}

/** The types of the events since a period was opened, by default the second, in the order of the API. */
async function typesSince(id: string, period = 1): Promise<unknown[]> {
  const events: Row[] = (await call("GET", "/events?sort=created_at&per_page=100", { key: biller.key })).json.data;
  const created = events.filter(
    ({ type, data }) => type === "payment_link.created" && (data as Row).subscription_id === id,
  );
  return events.slice(events.indexOf(created[period] as Row) + 1).map(({ type }) => type);
}

describe("without dunning days, a failed charge", () => {
  it("comes before past_due and unpaid", async () => {
    const id = await failing({}, declinedSoftly);
    expect((await biller.subscription(id)).status).toBe("unpaid");
    expect(await typesSince(id)).toEqual(["payment.failed", "subscription.past_due", "subscription.unpaid"]);
  });

  it("comes before past_due, the closed link and the cancellation", async () => {
    const id = await failing({ dunning_end: "cancel" }, declinedSoftly);
    expect(await typesSince(id)).toEqual([
      ...["payment.failed", "subscription.past_due", "payment_link.updated", "subscription.canceled"],
    ]);
  });

  it("comes before the decline of its card", async () => {
    const id = await failing({}, declinedForGood);
    expect(await typesSince(id)).toEqual([
      ...["payment.failed", "tokenization.declined", "subscription.past_due", "subscription.unpaid"],
    ]);
  });
});

it("without dunning days and a card, the last request to pay comes before past_due and unpaid", async () => {
  const id = await failing({}, null);
  await biller.advance(await biller.later(32));
  expect((await biller.subscription(id)).status).toBe("unpaid");
  expect((await typesSince(id)).slice(-3)).toEqual([
    ...["payment_link.awaiting_payer", "subscription.past_due", "subscription.unpaid"],
  ]);
});

it("a payment comes before the card that was saved with it", async () => {
  const id = await biller.subscribe(await biller.createPackage(), email);
  await biller.billed(id, 1);
  const [period] = await biller.periods(id);
  await payAt(`/pay?id=${period?._id}`, undefined, true);
  expect((await typesSince(id, 0)).slice(-5)).toEqual([
    ...["payment.succeeded", "payment_link.paid", "subscription.activated"],
    ...["tokenization.created", "tokenization.activated"],
  ]);
});
