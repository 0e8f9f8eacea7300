import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/core/db";
import { payAt } from "@/tests/support/checkout";
import { disputeInSandbox, sendDisputeCallback } from "@/tests/support/disputes";
import { call } from "@/tests/support/http";
import { type Biller, createBiller } from "@/tests/support/subscribers";

// A subscription is paused after its next period has begun, and before billing has opened it.

const email = "ada@example.com";
const newEmail = "grace@example.com";
let biller: Biller;
beforeEach(async () => {
  biller = await createBiller();
});

/** A subscription whose first period its saved card has paid. */
async function active(frequency: string): Promise<string> {
  await biller.saveCard(email);
  const id = await biller.subscribe(await biller.createPackage({ frequency }), email);
  await biller.becomes(id, "active");
  return id;
}

/** Moves its calendar into the past. A job that waits keeps the workers from billing it (lib/billing/run.ts). */
async function beginEarlier(id: string, days: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT graphile_worker.add_job('bill', json_build_object('subscription', ${id}::text), job_key := ${`bill:${id}`},
                                     run_at := now() + interval '4 minutes') IS NULL AS added`;
    await shift(tx, id, days);
  });
}

const shift = (tx: Pick<typeof db, "$executeRaw">, id: string, days: number) => tx.$executeRaw`
  UPDATE subscription SET next_charge_at = next_charge_at - ${days}::int * interval '1 day',
         anchor = to_char(anchor::timestamp - ${days}::int * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS')
   WHERE id = ${id}`;

const letBillingRun = (id: string) =>
  db.$queryRaw`SELECT graphile_worker.remove_job(${`bill:${id}`}) IS NULL AS removed`;

const opened = async (id: string): Promise<number> =>
  (await call("GET", `/payment-links?subscription_id=${id}&with_total=true`, { key: biller.key })).json.meta.total;
const paid = async (id: string) => (await biller.periods(id)).map((period) => period.paid);
const typesOf = async (id: string) =>
  (await db.event.findMany({ where: { subscription_id: id }, orderBy: { id: "asc" } })).map(({ type }) => type);

describe("a pause", () => {
  it("opens the period that has begun without charging it; the resume charges it and skips the later ones", async () => {
    const id = await active("weekly");
    await beginEarlier(id, 8);
    const { next_charge_at } = await biller.subscription(id);
    const paused = (await biller.put(id, { status: "paused" })).json.data;
    expect(paused).toMatchObject({ status: "paused", next_charge_at: null, current_period_start: next_charge_at });
    expect(paused.payment_links).toMatchObject([
      { status: "Active", period_start: next_charge_at, next_attempt_at: null, attempt_count: 0 },
      { paid: true },
    ]);
    expect((await typesOf(id)).slice(-2)).toEqual(["payment_link.created", "subscription.paused"]);
    await letBillingRun(id);
    await biller.advance(await biller.later(20));
    expect(await paid(id)).toEqual([true, false]);
    await biller.put(id, { status: "active" });
    await expect.poll(() => paid(id), { timeout: 15_000 }).toEqual([true, true]);
    await biller.advance(await biller.later(0.1));
    expect(await paid(id)).toEqual([true, true]);
  });

  it("leaves that period payable by its payer", async () => {
    const id = await active("weekly");
    await beginEarlier(id, 8);
    const [link] = (await biller.put(id, { status: "paused" })).json.data.payment_links;
    await payAt(`/pay?id=${link?._id}`);
    expect(await biller.subscription(id)).toMatchObject({ status: "paused", payment_links: [{ paid: true }, {}] });
  });

  it("opens all that have begun after a long downtime, for the e-mail of the same request", async () => {
    const id = await active("daily");
    await beginEarlier(id, 120);
    await biller.put(id, { status: "paused", email: newEmail });
    expect(await opened(id)).toBe(1 + 120);
    const links = await db.paymentLink.groupBy({
      by: ["email", "status"],
      where: { subscription_id: id },
      _count: true,
    });
    expect(links.toSorted((a, b) => a._count - b._count)).toEqual([
      { email, status: "Paid", _count: 1 },
      { email: newEmail, status: "Active", _count: 120 },
    ]);
    expect(await db.event.count({ where: { subscription_id: id, type: "payment_link.updated" } })).toBe(0);
  });

  it("opens none after the last one, and the resume completes the subscription", async () => {
    const id = await active("weekly");
    await biller.put(id, { cancel_at_period_end: true });
    await beginEarlier(id, 8);
    await biller.put(id, { status: "paused" });
    await letBillingRun(id);
    await biller.put(id, { status: "active" });
    await biller.becomes(id, "completed");
    expect(await opened(id)).toBe(1);
  });

  it("opens the period once beside a billing that opens it", async () => {
    await biller.saveCard(email);
    const packageId = await biller.createPackage({ frequency: "weekly" });
    const ids = await Promise.all(
      Array.from({ length: 16 }, () => biller.subscribe(packageId, email, { allow_duplicate: true })),
    );
    for (const id of ids) await biller.becomes(id, "active");
    await Promise.all(
      ids.map(async (id, n) => {
        await shift(db, id, 8);
        await new Promise((resolve) => setTimeout(resolve, n * 40)); // a poll of the worker comes in between
        expect((await biller.put(id, { status: "paused" })).status).toBe(200);
      }),
    );
    expect(await Promise.all(ids.map(opened))).toEqual(ids.map(() => 2));
  });

  it("by a dispute opens it as well, and charges it when the dispute is won", async () => {
    const id = await active("weekly");
    const where = { status: "succeeded", business_id: biller.merchant.businessId };
    const payment = await db.payment.findFirstOrThrow({ where });
    await beginEarlier(id, 8);
    await disputeInSandbox(payment, new Date());
    await sendDisputeCallback(payment);
    await biller.becomes(id, "paused");
    const [link] = (await biller.subscription(id)).payment_links;
    expect(link).toMatchObject({ status: "Active", paid: false, next_attempt_at: null, attempt_count: 0 });
    const types = await db.event.findMany({
      where: { business_id: biller.merchant.businessId },
      orderBy: { id: "desc" },
      take: 3,
    });
    expect(types.map(({ type }) => type).reverse()).toEqual([
      "dispute.created",
      "payment_link.created",
      "subscription.paused",
    ]);
    await letBillingRun(id);
    await db.sandboxDispute.updateMany({
      where: { charge_ref: String(payment.gateway_ref) },
      data: { decided_at: new Date() },
    });
    await sendDisputeCallback(payment);
    await biller.becomes(id, "active");
    await expect.poll(() => paid(id), { timeout: 15_000 }).toEqual([true, true]);
  });
});
