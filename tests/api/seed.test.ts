import { beforeAll, describe, expect, it } from "vitest";
import { clock } from "@/lib/core/clock";
import { db, execute, inOneTransaction, Prisma, transaction } from "@/lib/core/db";
import { checkBooks } from "@/lib/ledger/books";
import { seedBusiness } from "@/server/seed/seed";
import { command } from "@/tests/support/command";
import { createMerchant, type Merchant } from "@/tests/support/factory";
import { call, type Row } from "@/tests/support/http";

const seed = (...args: string[]) => command("seed", args);

let merchant: Merchant;
let tenant: { business_id: number; livemode: false };
beforeAll(async () => {
  merchant = await createMerchant();
  tenant = { business_id: merchant.businessId, livemode: false };
  const { code, stderr } = await seed("--business", String(merchant.businessId));
  expect(code, stderr).toBe(0);
});

async function list(path: string, key = merchant.key): Promise<{ rows: Row[]; total: number }> {
  const sign = path.includes("?") ? "&" : "?";
  const { status, text, json } = await call("GET", `${path}${sign}per_page=100&with_total=true`, { key });
  expect(status, text).toBe(200);
  return { rows: json.data, total: json.meta.total };
}

const totalOf = async (path: string): Promise<number> => (await list(path)).total;

describe("seeded demo data", () => {
  it.each([
    ["/payment-links?status=Active", 15],
    ["/payment-links?status=Inactive", 1],
    ["/payment-links?status=Processing", 1],
    ["/payment-links?status=Paid", 50],
    ["/payment-links?status=Expired", 1],
    ["/payments?status=failed", 5],
    ["/payments?status=requires_action", 1],
    ["/payments?status=succeeded", 50],
    ["/refunds?status=succeeded", 2],
    ["/disputes?status=needs_response", 1],
    ["/tokenizations?status=active", 8],
    ["/tokenizations?status=pending", 1],
    ["/tokenizations?status=expired", 1],
    ["/tokenizations?status=revoked", 1],
    ["/packages?status=active", 4],
    ["/packages?status=cancel", 1],
    ["/subscriptions?status=created", 1],
    ["/subscriptions?status=active", 3],
    ["/subscriptions?status=past_due", 1],
    ["/subscriptions?status=paused", 1],
    ["/subscriptions?status=unpaid", 1],
    ["/subscriptions?status=cancel", 1],
    ["/subscriptions?status=completed", 1],
    ["/emails", 100],
    ["/events", 300],
    ["/requests", 8],
  ])("GET %s: at least %d", async (path, least) => {
    expect(await totalOf(path)).toBeGreaterThanOrEqual(least);
  });

  it("has customers", async () => {
    const { json } = await call("GET", "/customers?per_page=100", { key: merchant.key });
    expect(json.data.length).toBeGreaterThanOrEqual(12);
    const marta = json.data.find(({ email }) => email === "marta.keller@example.com");
    expect(marta).toMatchObject({ name: "Marta Keller", metadata: { crm_id: "C-1042" } });
  });

  it("has a link that was refunded in part", async () => {
    const { rows } = await list("/payment-links?q=atlas&status=Paid");
    expect(rows.filter(({ title }) => title === "Order 2022: atlas")).toMatchObject([
      { amount: 78.9, refunded_amount: 28.9 },
    ]);
  });

  it("has a dispute that was opened days ago", async () => {
    const { rows } = await list("/disputes");
    const days = (at: unknown) => (Date.parse(String(at)) - Date.now()) / 86_400_000;
    expect(rows).toHaveLength(1);
    expect(days(rows[0]?.opened_at)).toBeCloseTo(-97 / 24, 0);
    expect(days(rows[0]?.respond_by)).toBeGreaterThan(1);
  });

  it("has a payment by bank transfer", async () => {
    const { rows } = await list("/payments?status=succeeded");
    const [transferred] = rows.filter(({ manual }) => manual !== null);
    expect(transferred).toMatchObject({ title: "Order 2027: school library", manual: { method: "transfer" } });
  });

  it("is paid out every week, and its books equal the gateway's balance", async () => {
    await expect.poll(() => totalOf("/payouts?status=paid")).toBeGreaterThanOrEqual(4);
    // The import stores payouts before it records their entries.
    const accounts = async () => (await call("GET", "/payouts/balance", { key: merchant.key })).json.data.accounts;
    await expect.poll(accounts).toMatchObject([{ gateway: "sandbox", equals_books: true, differences: [] }]);
  });

  it("has one endpoint with only successful deliveries, and a failing one on localhost", async () => {
    const { rows } = await list("/webhook-endpoints");
    expect(rows).toHaveLength(2);
    const [failing] = rows.filter(({ failing_since }) => failing_since !== null);
    expect(new URL(String(failing?.url)).hostname).toBe("localhost");
    expect(failing?.status).toBe("enabled");
    expect(await totalOf(`/webhook-endpoints/${failing?._id}/deliveries?status=pending`)).toBe(1);
    const [good] = rows.filter(({ failing_since }) => failing_since === null);
    expect(good?.status).toBe("disabled");
    expect(await totalOf(`/webhook-endpoints/${good?._id}/deliveries?status=succeeded`)).toBeGreaterThan(20);
  });

  it("fills the overview", async () => {
    const { json } = await call("GET", "/reports/overview", { key: merchant.key });
    expect(json.data).toMatchObject({
      attention: { past_due_subscriptions: 1, unpaid_subscriptions: 1, failing_webhooks: 1, unknown_payments: 0 },
      first: { payment_link: true, payment: true, tokenization: true, subscription: true },
    });
    const { days, period } = json.data as unknown as { days: unknown[]; period: { currencies: unknown[] } };
    expect(days.length).toBeGreaterThan(15);
    expect(period.currencies).toHaveLength(2);
  });

  it("balances", async () => {
    const { sums, imbalances } = await checkBooks();
    const own = sums.filter(({ business_id }) => business_id === merchant.businessId);
    expect(own.map(({ currency }) => currency)).toEqual(["CHF", "EUR"]);
    const rows = [
      ...(await db.paymentLink.findMany({ where: tenant, select: { id: true } })),
      ...(await db.payment.findMany({ where: tenant, select: { id: true } })),
      ...(await db.refund.findMany({ where: tenant, select: { id: true } })),
    ];
    expect(imbalances.filter((line) => rows.some(({ id }) => line.includes(id)))).toEqual([]);
  });

  it("dates rows and events in the past, and leaves no work for the workers", async () => {
    const now = new Date();
    const due = { lte: now };
    expect(await db.subscription.count({ where: { ...tenant, next_charge_at: due } })).toBe(0);
    expect(await db.paymentLink.count({ where: { ...tenant, status: "Active", next_step_at: due } })).toBe(0);
    expect(await db.webhookDelivery.count({ where: { ...tenant, next_attempt_at: due } })).toBe(0);
    expect(await db.email.count({ where: { ...tenant, status: "queued" } })).toBe(0);
    const links = await db.paymentLink.findMany({ where: tenant });
    const monthAgo = new Date(now.getTime() - 30 * 86_400_000);
    expect(links.filter(({ created_at }) => created_at < monthAgo).length).toBeGreaterThan(30);
    expect(links.filter(({ updated_at }) => updated_at > now)).toEqual([]);
    for (const link of links) {
      const created = await db.event.findFirstOrThrow({ where: { resource_id: link.id, sequence: 1 } });
      expect(created.created_at).toEqual(link.created_at);
      const { created_at } = created.data as { created_at: string };
      expect(Date.parse(created_at)).toBe(link.created_at.getTime());
    }
  });

  it("does not touch live mode", async () => {
    expect((await list("/payment-links", merchant.liveKey)).total).toBe(0);
    expect((await list("/events", merchant.liveKey)).total).toBe(0);
  });
});

it("refuses live mode, a missing business, and a test mode with data", async () => {
  const business = ["--business", String(merchant.businessId)];
  const before = await totalOf("/events");
  expect(await seed(...business)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("has data already"),
  });
  expect(await totalOf("/events")).toBe(before);
  expect(await seed(...business, "--mode", "live")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("never into live mode"),
  });
  expect(await seed("--business", "999999999")).toMatchObject({
    code: 1,
    stderr: "There is no business 999999999.\n",
  });
});

// In the future, so that the running server has no due work for it.
it.each(["2027-03-31T00:20:00Z", "2028-03-05T23:50:00Z", "2028-11-05T06:00:00Z"])(
  "has a subscription in every state also at %s",
  async (now) => {
    const { businessId } = await createMerchant();
    const { subscriptions } = await clock.at(new Date(now), () => seedBusiness(businessId));
    const rows = await db.subscription.findMany({ where: { business_id: businessId } });
    const states = Object.entries(subscriptions).map(([who, id]) => [who, rows.find((row) => row.id === id)?.status]);
    expect(Object.fromEntries(states)).toEqual({
      active: "active",
      long: "active",
      ending: "active",
      paused: "paused",
      canceled: "cancel",
      completed: "completed",
      pastDue: "past_due",
      unpaid: "unpaid",
      created: "created",
      weekly: "active",
    });
    expect(rows.filter(({ next_charge_at }) => next_charge_at !== null && next_charge_at <= new Date(now))).toEqual([]);
  },
);

describe("one transaction", () => {
  const make = (name: string) => db.business.create({ data: { name } });
  const countOf = (name: string) => db.business.count({ where: { name } });

  it("commits everything except nested rollbacks", async () => {
    const name = `Kept ${merchant.businessId}`;
    await inOneTransaction(async () => {
      await make(name);
      const failing = transaction(db, async (tx) => {
        await tx.business.create({ data: { name: `${name}, rolled back` } });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      await transaction(db, (tx) => tx.business.create({ data: { name } }));
    });
    expect(await countOf(name)).toBe(2);
    expect(await countOf(`${name}, rolled back`)).toBe(0);
  });

  it("fails when it goes on after a failed statement, because PostgreSQL keeps nothing", async () => {
    const failing = transaction(db, (tx) => execute(tx, Prisma.sql`SELECT 1 / 0`).catch(() => 0));
    await expect(failing).rejects.toThrow("rolled back");
  });

  it("keeps nothing when it fails", async () => {
    const name = `Dropped ${merchant.businessId}`;
    const failing = inOneTransaction(async () => {
      await transaction(db, (tx) => tx.business.create({ data: { name } }));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await countOf(name)).toBe(0);
  });
});
