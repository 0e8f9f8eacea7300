import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import type { DisputeStatus } from "@/lib/gateways/reasons";
import { checkBooks } from "@/lib/ledger/books";
import { reconcileDisputes } from "@/lib/ledger/dispute";
import { sweepDisputes } from "@/lib/ledger/dispute-sweep";
import type { Period } from "@/lib/resources/reports/contract";
import { payAt } from "@/tests/support/checkout";
import { disputeInSandbox, sendDisputeCallback } from "@/tests/support/disputes";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";
import { asOwner } from "@/tests/support/postgres";
import { create } from "@/tests/support/samples";
import { signedIn } from "@/tests/support/sign-in";
import { createBiller } from "@/tests/support/subscribers";
import { recountSums } from "@/tests/support/sums";

const cards = {
  open: "4000000000000259",
  won: "4000000000005134",
  lost: "4000000000002685",
  inquiry: "4000000000001976",
};

let merchant: Merchant;
let key: string;
beforeAll(async () => {
  merchant = await createMerchant();
  key = merchant.key;
});

const get = async (path: string) => (await call("GET", path, { key })).json.data;
const paymentOf = async (link: string) => (await get(`/payments?payment_link_id=${link}`))[0] as Row;
const disputesOf = (link: string): Promise<Row[]> => get(`/disputes?payment_link_id=${link}`);
const refund = (id: string, body: object = {}) => call("POST", `/payment-links/${id}/refunds`, { key, body });
const typesOf = async (id: unknown) =>
  (await get(`/events?resource_id=${id}&sort=created_at`)).map(({ type }: Row) => type);

/** Pays a link with a card that is disputed at once, and waits until the ledger knows the dispute. */
async function disputed(card: keyof typeof cards): Promise<{ link: string; dispute: Row }> {
  const link = await create(key, "payment_links");
  await payAt(`/pay?id=${link}`, cards[card]);
  await expect.poll(async () => (await disputesOf(link)).length).toBe(1);
  const [dispute] = await disputesOf(link);
  if (!dispute) throw new Error("no dispute");
  return { link, dispute };
}

/** Lets the bank decide now, and sends the sandbox's callback. */
async function decide(dispute: Row, data: { outcome?: string; amount_cents?: number } = {}): Promise<void> {
  await db.sandboxDispute.update({
    where: { ref: String(dispute.gateway_reference) },
    data: { ...data, decided_at: new Date() },
  });
  await sendDisputeCallback(await db.payment.findUniqueOrThrow({ where: { id: String(dispute.payment_id) } }));
}

/** Other files share the database, and leave the overview's sums alone. */
const balanced = async () => {
  const { imbalances } = await checkBooks();
  expect(imbalances.filter((line) => line.includes("disput"))).toEqual([]);
};
const booksOf = async (businessId: number) => (await checkBooks()).sums.find((sums) => sums.business_id === businessId);

describe("a dispute", () => {
  it("is shown with its deadline and its money, and its payment says that it is disputed", async () => {
    const { link, dispute } = await disputed("open");
    const payment = await paymentOf(link);
    expect(dispute).toMatchObject({
      payment_id: payment._id,
      payment_link_id: link,
      amount: 10.5,
      currency: "EUR",
      status: "needs_response",
      reason: "fraudulent",
      withdrawn: { amount_cents: 1050, currency: "EUR" },
      returned: null,
      fee: { amount_cents: 1500, currency: "EUR" },
      gateway: "sandbox",
      gateway_url: null,
      closed_at: null,
    });
    expect(Date.parse(String(dispute.respond_by))).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    expect(payment).toMatchObject({ disputed_amount: 10.5, dispute_status: "needs_response" });
    expect(await get(`/disputes/${dispute._id}`)).toEqual(dispute);
    expect(await typesOf(dispute._id)).toEqual(["dispute.created"]);
    expect(await get(`/disputes?payment_id=${payment._id}&status=needs_response&currency=EUR`)).toHaveLength(1);
    expect(await get(`/disputes?payment_id=${payment._id}&status=won`)).toEqual([]);
    const timeline = await get(`/payment-links/${link}/timeline`);
    expect(timeline.map(({ text }: Row) => text)).toContain("Disputed: €10.50");
    await balanced();
  });

  it("refuses refunds with the true reason, before the gateway is asked", async () => {
    const { link, dispute } = await disputed("open");
    const reply = await refund(link);
    expect([reply.status, reply.json.code, reply.json.message]).toEqual([
      409,
      "payment_disputed",
      "The payer's bank has taken this money back while it decides the dispute. A refund would return it twice.",
    ]);
    expect((await refund(link, { amount: "100" })).json.code).toBe("payment_disputed");
    expect(await get(`/refunds?payment_link_id=${link}`)).toEqual([]);
    await decide(dispute, { outcome: "lost" });
    const lost = await refund(link);
    expect([lost.status, lost.json.message]).toEqual([
      409,
      "The payer has this money already: the dispute is lost. A refund would return it twice.",
    ]);
  });

  it("that is won returns the money, once, and the payment can be refunded again", async () => {
    const { link, dispute } = await disputed("open");
    await decide(dispute, { outcome: "won" });
    await Promise.all(Array.from({ length: 5 }, () => decide(dispute)));
    const won = await get(`/disputes/${dispute._id}`);
    expect(won).toMatchObject({ status: "won", returned: { amount_cents: 1050 }, fee: { amount_cents: 1500 } });
    expect(won.closed_at).not.toBeNull();
    expect(await typesOf(dispute._id)).toEqual(["dispute.created", "dispute.won"]);
    expect(await paymentOf(link)).toMatchObject({ disputed_amount: 0, dispute_status: "won" });
    expect((await refund(link)).json.data).toMatchObject({ status: "succeeded", amount: 10.5 });
    await balanced();
  });

  it("of a part leaves the rest, which can be refunded once the bank has decided", async () => {
    const { link, dispute } = await disputed("open");
    await decide(dispute, { outcome: "lost", amount_cents: 400 });
    expect(await paymentOf(link)).toMatchObject({ disputed_amount: 4, dispute_status: "lost" });
    expect((await refund(link, { amount: "651" })).json.errors).toEqual({
      amount: ["The amount must not be greater than 650."],
    });
    expect((await refund(link)).json.data).toMatchObject({ status: "succeeded", amount: 6.5 });
    expect((await refund(link)).json.code).toBe("payment_disputed");
  });

  it("takes its fee from the overview's net amount", async () => {
    const { key, businessId } = await createMerchant();
    const link = await create(key, "payment_links", { amount: "5000" });
    await payAt(`/pay?id=${link}`, cards.open);
    const one = async (path: string) => (await call("GET", path, { key })).json.data;
    await expect.poll(async () => (await one(`/disputes?payment_link_id=${link}`)).length).toBe(1);
    const [payment] = (await one(`/payments?payment_link_id=${link}`)) as unknown as [
      { fee: { amount_cents: number } },
    ];
    const fees = payment.fee.amount_cents + 1500;
    const figures = async () => {
      const { period } = (await one("/reports/overview")) as unknown as { period: Period };
      return [period.fees[0]?.amount_cents, period.currencies[0]?.net.amount_cents];
    };
    expect(await figures()).toEqual([fees, -fees]);
    // The rows themselves have the same sums.
    await recountSums({ query: asOwner }, businessId);
    expect(await figures()).toEqual([fees, -fees]);
  });

  it("that is an inquiry moves no money and refuses no refund", async () => {
    const { link, dispute } = await disputed("inquiry");
    expect(dispute).toMatchObject({ status: "inquiry_needs_response", withdrawn: null, fee: null });
    expect(await paymentOf(link)).toMatchObject({ disputed_amount: 0, dispute_status: "inquiry_needs_response" });
    expect((await refund(link, { amount: "50" })).json.data).toMatchObject({ status: "succeeded" });
    await decide(dispute);
    expect(await typesOf(dispute._id)).toEqual(["dispute.created", "dispute.closed"]);
    await balanced();
  });

  it("never goes back: an outdated lookup changes nothing", async () => {
    const { dispute } = await disputed("open");
    const early = new Date(Date.now() + 60_000);
    await decide(dispute, { outcome: "won" });
    // The sandbox answers as before its decision, as an outdated lookup does.
    await db.sandboxDispute.update({ where: { ref: String(dispute.gateway_reference) }, data: { decided_at: early } });
    await reconcileDisputes(String(dispute.payment_id));
    expect(await get(`/disputes/${dispute._id}`)).toMatchObject({ status: "won" });
    expect(await typesOf(dispute._id)).toEqual(["dispute.created", "dispute.won"]);
    await balanced();
  });

  it("is found without its callback, by the list of its account", async () => {
    const other = await createMerchant();
    const link = await create(other.key, "payment_links");
    await payAt(`/pay?id=${link}`);
    const payment = await db.payment.findFirstOrThrow({ where: { payment_link_id: link, status: "succeeded" } });
    await disputeInSandbox(payment, new Date(), "lost");
    await asOwner(`DELETE FROM dispute_listing WHERE account = '${other.businessId}'`);
    await sweepDisputes(AbortSignal.timeout(30_000));
    const found = (await call("GET", "/disputes", { key: other.key })).json.data;
    expect(found).toMatchObject([{ payment_id: payment.id, status: "needs_response" satisfies DisputeStatus }]);
    expect(await booksOf(other.businessId)).toMatchObject({ disputed: 1050, paid: 1050, refunded: 0 });
  });

  it("is mailed to owners and admins, when it is opened and when it ends", async () => {
    const { userId } = await signedIn(merchant);
    const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    const { dispute } = await disputed("open");
    await decide(dispute, { outcome: "lost" });
    const mails = await db.email.findMany({ where: { to: email, staff: true }, orderBy: { created_at: "asc" } });
    expect(mails.map(({ template }) => template)).toEqual(["dispute_opened", "dispute_ended"]);
  });
});

describe("a subscription whose payment is disputed", () => {
  it("is paused, resumes when it is won, stays paused when it is lost, and goes on if the business wants it", async () => {
    const biller = await createBiller();
    key = biller.key;
    merchant = biller.merchant;
    const pkg = await biller.createPackage();
    const subscribe = async (email: string) => {
      await biller.saveCard(email, cards.open);
      const id = await biller.subscribe(pkg, email);
      const dispute = async () => {
        const [period] = await biller.periods(id);
        return period && (await disputesOf(String(period._id)))[0];
      };
      await expect.poll(async () => (await dispute())?.status).toBe("needs_response");
      return { id, dispute: (await dispute()) as Row };
    };
    const first = await subscribe("ada@example.com");
    expect(await biller.subscription(first.id)).toMatchObject({
      status: "paused",
      paused_reason: "dispute",
      next_charge_at: null,
    });
    await decide(first.dispute, { outcome: "won" });
    expect(await biller.subscription(first.id)).toMatchObject({ status: "active", paused_reason: null });
    expect((await typesOf(first.id)).slice(-2)).toEqual(["subscription.paused", "subscription.resumed"]);

    const second = await subscribe("grace@example.com");
    await decide(second.dispute, { outcome: "lost" });
    expect(await biller.subscription(second.id)).toMatchObject({ status: "paused", paused_reason: "dispute" });
    expect((await biller.put(second.id, { status: "active" })).json.data).toMatchObject({ paused_reason: null });
    // Staff have decided about the lost one: the next dispute alone says when it goes on.
    await biller.advance(await biller.later(32));
    const next = async () => (await disputesOf(String((await biller.periods(second.id))[1]?._id)))[0];
    await expect.poll(async () => (await next())?.status).toBe("needs_response");
    expect(await biller.subscription(second.id)).toMatchObject({ status: "paused", paused_reason: "dispute" });
    await decide((await next()) as Row, { outcome: "won" });
    expect(await biller.subscription(second.id)).toMatchObject({ status: "active", paused_reason: null });

    await call("PUT", "/settings", { key, body: { pause_disputed: false } });
    const third = await subscribe("edsger@example.com");
    expect(await biller.subscription(third.id)).toMatchObject({ status: "active", paused_reason: null });
  });

  it.each([
    ["a payment of one of its periods", true],
    ["a new card", false],
  ])("is not charged when it was unpaid and %s recovers it, until the dispute is won", async (_, pays) => {
    const biller = await createBiller();
    key = biller.key;
    merchant = biller.merchant;
    const email = "ada@example.com";
    await biller.saveCard(email);
    const id = await biller.subscribe(await biller.createPackage({ frequency: "weekly" }), email);
    await biller.becomes(id, "active");
    await biller.saveCard(email, "4000000000000341"); // declines each charge
    await biller.advance(await biller.later(40));
    const [first, older, newer] = await biller.periods(id);
    expect(await biller.subscription(id)).toMatchObject({ status: "unpaid" });
    const payment = await db.payment.findFirstOrThrow({
      where: { payment_link_id: String(first?._id), status: "succeeded" },
    });
    await disputeInSandbox(payment, new Date());
    await reconcileDisputes(payment.id);
    expect(await biller.subscription(id)).toMatchObject({ status: "unpaid" });

    await (pays ? payAt(`/pay?id=${newer?._id}`) : biller.saveCard(email));
    expect(await biller.subscription(id)).toMatchObject({ status: "paused", paused_reason: "dispute" });
    expect((await typesOf(id)).at(-1)).toBe("subscription.paused");
    await biller.advance(await biller.later(8));
    const attempts = async () => (await biller.get(`/payment-links/${older?._id}`)).attempt_count;
    expect(await attempts()).toBe(older?.attempt_count);

    await decide((await disputesOf(String(first?._id)))[0] as Row, { outcome: "won" });
    expect(await biller.subscription(id)).toMatchObject({ status: "active", paused_reason: null });
    await expect.poll(attempts).toBe(Number(older?.attempt_count) + 1);
  });
});
