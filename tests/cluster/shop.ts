import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { db, Prisma, queryRows } from "@/lib/core/db";
import { age, judge, settled } from "@/tests/faults/judge";
import { type Answered, failureOf, type Kind, startLoad } from "@/tests/faults/load";
import { random } from "@/tests/faults/seeded";
import { saveCardAt } from "@/tests/support/checkout";
import { call, type Reply } from "@/tests/support/http";
import { startReceiver, until } from "@/tests/support/receiver";
import { create } from "@/tests/support/samples";
import { createBiller } from "@/tests/support/subscribers";
import { createEndpoint } from "@/tests/support/webhooks";

const kinds: Kind[] = ["create", "create with a key", "pay", "get", "list", "list as staff", "page of a link"];
const subscriptions = 12;
const day = 86_400_000;

/** Requests that change something: a fault ends when they succeed again. */
const writes: ReadonlySet<string> = new Set(["create", "create with a key", "pay", "charge", "clock"]);
export const isWrite = ({ kind }: Answered): boolean => writes.has(kind);

/**
 * A charge whose process was killed, or whose outcome the database could not keep, before the gateway had it. Paydesk cancels it
 * at the gateway, and repeats this answer for its Idempotency-Key. `check` counts those that the gateway has charged.
 */
export const isNotCharged = ({ kind, status, text }: Answered): boolean =>
  kind === "charge" && status === 402 && JSON.parse(text).reason === "processing_error";

/** Repeats a step of the set-up until it succeeds: a cluster that has just started may refuse it. */
async function repeat<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await work();
    } catch (error) {
      if (tries === 30) throw error;
      await sleep(1_000);
    }
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Starts a load: payers, staff, systems with and without saved cards, billing by a test clock, and a receiver of webhooks. */
export async function openShop() {
  const load = await repeat(() => startLoad(5, random(), kinds, 40));
  const { answers, failures, key } = load;
  const receiver = await startReceiver();
  await repeat(() => createEndpoint({ key }, receiver.url));
  const firstEvent = new Date();
  let goesOn = true;

  async function ask(kind: string, request: () => Promise<Reply>): Promise<Reply | null> {
    const begun = performance.now();
    try {
      const reply = await request();
      const at = performance.now();
      answers.push({ status: reply.status, headers: reply.headers, text: reply.text, kind, ms: at - begun, at });
      return reply;
    } catch (error) {
      failures.push(failureOf(kind, error));
      return null;
    }
  }
  /** Repeats a request until it is done, as systems do. */
  async function insist(kind: string, request: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await ask(kind, request);
      if (reply && reply.status !== 503 && reply.status !== 409) return reply;
      await sleep(500);
    }
  }

  /** Links that the system was told are Paid. */
  const charged: string[] = [];
  const card = await repeat(() => saveCard(key));
  async function chargeOn(): Promise<void> {
    while (goesOn) {
      const body = { email: card.email, currency: "EUR", amount: "700", title: "Refill" };
      const made = { key, body, headers: { "Idempotency-Key": randomUUID() } };
      const link = await insist("create with a key", () => call("POST", "/payment-links", made));
      const id = link.json.data._id;
      const charge = { key, body: { token: card.token }, headers: { "Idempotency-Key": randomUUID() } };
      const reply = await insist("charge", () => call("POST", `/payment-links/${id}/charge`, charge));
      if (reply.status === 200 && reply.json.data.status === "Paid") charged.push(id);
      await sleep(150);
    }
  }

  const biller = await repeat(createBiller);
  await repeat(() => createEndpoint({ key: biller.key }, receiver.url));
  await repeat(() => subscribe(biller));
  let days = 0;
  /** Each day, all subscriptions are due. */
  async function billOn(): Promise<void> {
    while (goesOn) {
      const clock = await insist("get", () => call("GET", "/test-clock", { key: biller.key }));
      const { now, status } = clock.json.data;
      if (status === "ready") {
        const to = new Date(Date.parse(String(now)) + day).toISOString();
        const advance = { key: biller.key, body: { to }, headers: { "Idempotency-Key": randomUUID() } };
        const reply = await insist("clock", () => call("POST", "/test-clock", advance));
        if (reply.status === 200) days++;
      }
      await sleep(400);
    }
  }
  const working = [chargeOn(), chargeOn(), billOn()];

  let closedAt = 0;
  return {
    answers,
    failures,
    /** As of performance.now(). After it, requests that are not done yet are repeated. */
    closedAt: () => closedAt,
    acknowledged: () => answers.filter((one) => isWrite(one) && one.status < 400).length,
    async close(): Promise<void> {
      goesOn = false;
      closedAt = performance.now();
      await Promise.all([load.stop(), ...working]);
    },
    /** Waits until all work is done, then counts what is wrong. */
    async check(): Promise<Record<string, number>> {
      const older = setInterval(
        () => [load.businessId, biller.merchant.businessId].map((id) => age(id).catch(() => undefined)),
        500,
      );
      await settled(load.businessId, 120);
      const billed = await until("each period's charge", () => billingDone(biller), 300).catch(() => false);
      await settled(biller.merchant.businessId, 60);
      clearInterval(older);
      const businesses = [load.businessId, biller.merchant.businessId];
      const undelivered = await missingEvents(
        businesses,
        firstEvent,
        () => new Set(receiver.received.map(({ id }) => id)),
      );
      await receiver.stop();
      const shop = await judge(load.businessId);
      const subscribed = await judge(biller.merchant.businessId);
      const statuses = await db.paymentLink.findMany({ where: { id: { in: charged } }, select: { status: true } });
      const unpaid = charged.length - statuses.filter(({ status }) => status === "Paid").length;
      return {
        "acknowledged writes lost": (await load.lost()) + unpaid,
        "charges declined that the gateway has": await chargedAtGateway(answers.filter(isNotCharged)),
        "events not delivered": undelivered,
        "billing not done": billed ? 0 : 1,
        "subscriptions without just one charge for each period": await wronglyBilled(biller.merchant.businessId),
        ...sum(shop, subscribed),
      };
    },
    done: () => ({ days, charged: charged.length, events: receiver.received.length }),
  };
}

function sum(...counts: Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [what, count] of counts.flatMap(Object.entries<number>)) total[what] = (total[what] ?? 0) + count;
  return total;
}

async function saveCard(key: string): Promise<{ token: string; email: string }> {
  const email = `${randomUUID()}@example.com`;
  const id = await create(key, "tokenizations", { email });
  const { token } = (await call("GET", `/tokenizations/${id}`, { key })).json.data;
  await saveCardAt(`/activate/${token}`);
  return { token, email };
}

type Biller = Awaited<ReturnType<typeof createBiller>>;

async function subscribe(biller: Biller): Promise<void> {
  const plan = await biller.createPackage({ frequency: "daily" });
  for (let index = 0; index < subscriptions; index++) {
    const email = `${randomUUID()}@example.com`;
    await biller.saveCard(email);
    await biller.subscribe(plan, email);
  }
}

/**
 * Whether the clock has arrived and no period is due or open. A charge that an outage ended before the gateway had it failed, and is
 * repeated after an hour: the clock goes on until it is.
 * @returns null until then
 */
async function billingDone({ merchant, key }: Biller): Promise<boolean | null> {
  const { now, status } = (await call("GET", "/test-clock", { key })).json.data;
  if (status !== "ready") return null;
  const business_id = merchant.businessId;
  const due = await db.subscription.count({ where: { business_id, next_charge_at: { lte: new Date(String(now)) } } });
  if (due > 0) return null;
  const unpaid = { business_id, subscription_id: { not: null }, status: { not: "Paid" as const } };
  if ((await db.paymentLink.count({ where: unpaid })) === 0) return true;
  const to = new Date(Date.parse(String(now)) + day / 12).toISOString();
  await call("POST", "/test-clock", { key, body: { to } });
  return null;
}

/** Subscriptions that lack a period, or have more or fewer than the others, or an unpaid one. Prints each with its open periods. */
async function wronglyBilled(businessId: number): Promise<number> {
  const rows = await queryRows(
    db,
    Prisma.sql`
    WITH billed AS (
      SELECT s.id, s.status, s.next_period, s.next_charge_at, count(l.id)::int AS periods,
             coalesce(max(period_index) - min(period_index) + 1, 0)::int AS span, bool_and(l.status = 'Paid') AS paid,
             json_agg(json_build_array(period_index, l.status, failure, next_step_at)) FILTER (WHERE l.status <> 'Paid') AS open
        FROM subscription s LEFT JOIN payment_link l ON l.subscription_id = s.id
       WHERE s.business_id = ${businessId} GROUP BY s.id
    )
    SELECT * FROM billed WHERE paid IS NOT TRUE OR periods <> span OR periods <> (SELECT max(periods) FROM billed)`,
  );
  for (const row of rows) console.error(JSON.stringify(row));
  return rows.length;
}

/** How many of the payments of these answers the gateway has charged, or may still charge. */
async function chargedAtGateway(answers: Answered[]): Promise<number> {
  const ids = [...new Set(answers.map(({ text }) => String(JSON.parse(text).payment_id)))];
  const found = await queryRows<{ id: string }>(
    db,
    Prisma.sql`
    SELECT p.id FROM payment p JOIN sandbox_charge c ON c.gateway_key = p.gateway_key
     WHERE p.id = ANY (${ids}) AND c.status <> 'failed'`,
  );
  return found.length;
}

/** How many events of these businesses have not reached the receiver. Waits for them. */
async function missingEvents(businesses: number[], since: Date, received: () => Set<string>): Promise<number> {
  const events = await db.event.findMany({
    where: { business_id: { in: businesses }, created_at: { gte: since } },
    select: { id: true },
  });
  const missing = () => {
    const have = received();
    return events.filter(({ id }) => !have.has(id)).length;
  };
  for (const deadline = Date.now() + 150_000; missing() > 0 && Date.now() < deadline; ) await sleep(500);
  return missing();
}
