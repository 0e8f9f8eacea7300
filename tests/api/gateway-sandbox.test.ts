import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as bankPage from "@/app/(public)/sandbox/3ds/[ref]/route";
import { clock } from "@/lib/core/clock";
import { db, pool } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { CardInput, ChargeResult, Gateway, PayRequest } from "@/lib/gateways/gateway";
import { deliverSandboxCallbacks, signCallback } from "@/lib/gateways/sandbox/callbacks";
import { testCards } from "@/lib/gateways/sandbox/cards";
import { sandbox } from "@/lib/gateways/sandbox/driver";
import { clearFaults, setFault } from "@/lib/gateways/sandbox/faults";
import { aboutLink } from "@/tests/support/about";
import { type Callback, gatewayConformance, type Kind, type Rig } from "@/tests/support/gateway-conformance";

// An hour ahead of the server under test, which also delivers callbacks: it must not deliver this test's.
let ahead = 3_600_000;
const now = vi.spyOn(clock, "now").mockImplementation(() => new Date(Date.now() + ahead));
afterAll(() => now.mockRestore());

const cardOf = (number: string): CardInput => ({ number, cvc: "123", expMonth: 12, expYear: 2040 });

const refundOf = (ref: string | null, amountCents: number) => ({
  gatewayKey: newId("ref"),
  startedAt: new Date(),
  chargeRef: ref ?? "",
  amountCents,
  currency: "EUR",
});

async function bank(url: string, form?: Record<string, string>): Promise<Response> {
  const ref = url.split("/").at(-1);
  const body = form && new URLSearchParams(form);
  const request = new Request(new URL(url, "http://localhost"), { method: form ? "POST" : "GET", body });
  const ask = form ? bankPage.POST : bankPage.GET;
  return ask(request, { params: Promise.resolve({ ref }) });
}

interface Received extends Callback {
  account: string | null;
}

/** A receiver that answers every callback with `status`. */
async function receive() {
  const received: Received[] = [];
  const says = { status: 204 };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "", "http://localhost");
    if (request.method !== "POST" || url.pathname !== "/api/gateways/sandbox/webhook") says.status = 404;
    else if (says.status === 204) {
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      received.push({ body, headers, account: url.searchParams.get("account") });
    }
    response.writeHead(says.status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return { received, says, origin: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

const numbers: Partial<Record<Kind, string>> = {
  pays: "4242424242424242",
  approves: "4000000000003220",
  rejects: "4000000000003220",
  saved_declined: "4000000000009995",
  saved_blocked: "4000000000005084",
  saved_asks: "4000002760003184",
  refund_pending: "4000000000007726",
  refund_fails: "4000000000005126",
  dispute_won: "4000000000005134",
  dispute_lost: "4000000000002685",
  dispute_inquiry: "4000000000001976",
  risk_elevated: "4000000000009235",
  risk_highest: "4100000000000019",
};
for (const { number, behaviour, group } of testCards) {
  if (group === "Payments" && behaviour !== "succeed") numbers[`declined:${behaviour}` as Kind] = number;
}

async function sandboxRig(): Promise<Rig> {
  const account = `rig-${randomUUID()}`;
  const merchant = await receive();
  return {
    gateway: sandbox(account),
    sendsOffSessionCallbacks: false,
    other: sandbox(`${account}-other`),
    kinds: new Set(Object.keys(numbers) as Kind[]),
    numbers: [],
    card: (kind) => cardOf(numbers[kind] ?? ""),
    act: async ({ url }, kind) => {
      if ((await bank(url)).status !== 200) throw new Error("the bank asks nothing any more");
      const answer = kind === "rejects" ? "reject" : "approve";
      expect((await bank(url, { answer })).status).toBe(303);
    },
    taken: async (gateway_key) => {
      const charges = await db.sandboxCharge.findMany({
        where: { gateway_key, status: "succeeded" },
        include: { refunds: { where: { status: { not: "failed" } } } },
      });
      return charges.map(({ amount_cents, currency, refunded_cents, refunds }) => {
        expect(refunds.reduce((sum, refund) => sum + refund.amount_cents, 0)).toBe(refunded_cents);
        return { units: amount_cents / 100, currency, returned: refunded_cents / 100 };
      });
    },
    recorded: async (gateway_key) => {
      const row = await db.sandboxCharge.findUniqueOrThrow({ where: { gateway_key } });
      return { link: row.link, subscription: row.subscription, period: row.period };
    },
    withFault: async (fault, work) => {
      await setFault(account, fault === "limited" || fault === "refused" ? "busy" : fault, 1);
      return work().finally(() => clearFaults(account));
    },
    payOut: async () => {
      const inThreeDays = new Date(Date.now() + 3 * 86_400_000);
      return (await sandbox(account).payouts({ since: new Date(0), now: inThreeDays }, null)).rows;
    },
    settleRefunds: async () => {
      await db.sandboxRefund.updateMany({
        where: { settles_at: { not: null }, charge: { account } },
        data: { settles_at: new Date() },
      });
    },
    settleDisputes: async () => {
      await db.sandboxDispute.updateMany({ where: { charge: { account } }, data: { decided_at: new Date() } });
    },
    callbacks: async () => {
      while ((await deliverSandboxCallbacks(merchant.origin, account)) > 0);
      return merchant.received;
    },
    irrelevant: async () => {
      const body = JSON.stringify({ type: "account.updated", created: new Date().toISOString(), data: { account } });
      return { body, headers: new Headers(signCallback(account, body)) };
    },
    close: async () => {
      merchant.close();
    },
  };
}

gatewayConformance("sandbox", sandboxRig);

let account: string;
let gateway: Gateway;
let merchant: Awaited<ReturnType<typeof receive>>;
beforeAll(async () => {
  account = `own-${randomUUID()}`;
  gateway = sandbox(account);
  merchant = await receive();
});
afterAll(() => {
  merchant?.close();
});

const payment = (number: string, over: Partial<PayRequest> = {}): PayRequest => ({
  gatewayKey: newId("pay"),
  startedAt: new Date(),
  amountCents: 1050,
  currency: "EUR",
  card: cardOf(number),
  merchant: "Blue Bottle Books",
  title: "Order 1001",
  about: aboutLink("pl_0"),
  email: "ada@example.com",
  returnPath: "/pay?id=pl_0&wait=1",
  ...over,
});
const sent = (request: PayRequest) => ({ ...request, ref: null, cardRef: null });
const put = async (number: string, over: Partial<CardInput> = {}) => {
  const card = { ...cardOf(number), ...over };
  const saved = await gateway.saveCard({ ...payment(number), gatewayKey: newId("tkn"), card });
  return saved.outcome === "saved" ? saved.ref : null;
};
const chargeSaved = (cardRef: string) =>
  gateway.chargeSaved({ ...payment("4242424242424242"), cardRef, now: clock.now() });
const words = (result: ChargeResult) => (result.outcome === "declined" ? result.reason : result.outcome);

/** Advances the clock while `work` runs. */
async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  ahead += ms;
  try {
    return await work();
  } finally {
    ahead -= ms;
  }
}

describe("a test card", () => {
  // The outcome of a card typed in the form, and of its off-session charge once saved (null: it cannot be saved).
  const expected: Record<string, [string, string | null]> = {
    "4242424242424242": ["succeeded", "succeeded"],
    "5555555555554444": ["succeeded", "succeeded"],
    "378282246310005": ["succeeded", "succeeded"],
    "4000000000000002": ["card_declined", null],
    "4000000000009995": ["insufficient_funds", "insufficient_funds"],
    "4000000000006975": ["limit_exceeded", null],
    "4000000000000119": ["processing_error", null],
    "4000000000000069": ["expired_card", null],
    "4000000000005027": ["incorrect_number", null],
    "4000000000000127": ["incorrect_cvc", null],
    "4000000000005035": ["card_not_supported", null],
    "4000000000009979": ["card_blocked", null],
    "4000000000003220": ["action", "authentication_required"],
    "4000000000005001": ["lost", "lost"],
    "4000000000005019": ["succeeded", "succeeded"],
    "4000000000005043": ["pending", "pending"],
    "4000000000005050": ["pending", "pending"],
    "4000000000005068": ["succeeded", "succeeded"],
    "4000000000005076": ["succeeded", "succeeded"],
    "4000002500003155": ["action", "succeeded"],
    "4000002760003184": ["action", "authentication_required"],
    "4000000000000341": ["card_declined", "card_declined"],
    "4000000000005084": ["succeeded", "expired_card"],
    "4000000000007726": ["succeeded", "succeeded"],
    "4000000000005126": ["succeeded", "succeeded"],
    "4000000000005092": ["succeeded", "succeeded"],
    "4000000000000259": ["succeeded", "succeeded"],
    "4000000000005134": ["succeeded", "succeeded"],
    "4000000000002685": ["succeeded", "succeeded"],
    "4000000000001976": ["succeeded", "succeeded"],
    "4000000000009235": ["succeeded", "succeeded"],
    "4100000000000019": ["card_blocked", "card_blocked"],
  };

  it.concurrent.each(testCards)("$number: $label", async ({ number, brand, last4, behaviour }) => {
    const [paid, charged] = expected[number] ?? [];
    const lost = () => "lost";
    const begun = Date.now();
    const request = payment(number);
    expect(await gateway.pay(request).then(words, lost)).toBe(paid);
    if (behaviour === "slow") expect(Date.now() - begun).toBeGreaterThanOrEqual(3_990);
    expect(await gateway.lookup(sent(request))).toMatchObject({ card: { brand, last4 } });
    const ref = await put(number);
    expect(ref && (await chargeSaved(ref).then(words, lost))).toBe(charged);
  });

  it.each([
    ["4000000000005043", "succeeded"],
    ["4000000000005050", "card_declined"],
  ])("%s settles after ten seconds: %s", async (number, end) => {
    const request = payment(number);
    expect(words(await gateway.pay(request))).toBe("pending");
    const soon = await later(9_000, async () => [
      await gateway.lookup(sent(request)),
      await gateway.cancel(sent(request)),
    ]);
    expect(soon).toMatchObject([{ outcome: "pending" }, { outcome: "pending" }]);
    await later(10_100, async () => {
      const known = await gateway.lookup(sent(request));
      expect(known.outcome === "absent" || words(known)).toBe(end);
      expect(words(await gateway.cancel(sent(request)))).toBe(end);
      expect(words(await gateway.pay(request))).toBe(end);
    });
  });

  it("can be refunded once it is settled, not before", async () => {
    const request = payment("4000000000005043");
    const { ref } = await gateway.pay(request);
    const refund = refundOf(ref, 1050);
    await expect(gateway.refund(refund)).rejects.toThrow("no such payment");
    expect(await later(10_100, () => gateway.refund(refund))).toMatchObject({ status: "succeeded" });
  });

  it("is declined, once saved, after its expiry month", async () => {
    const soon = new Date(Date.now() + ahead);
    const [expMonth, expYear] = [soon.getUTCMonth() + 1, soon.getUTCFullYear()];
    const ref = await put("4242424242424242", { expMonth, expYear });
    expect(words(await chargeSaved(ref ?? ""))).toBe("succeeded");
    expect(await later(33 * 86_400_000, () => chargeSaved(ref ?? "").then(words))).toBe("expired_card");
  });

  it("leaves no trace if it is not a test card", async () => {
    const request = payment("4111111111111111");
    expect(await gateway.pay(request)).toEqual({
      outcome: "declined",
      reason: "incorrect_number",
      code: null,
      ref: null,
      card: null,
      risk: null,
    });
    expect(await gateway.lookup(sent(request))).toEqual({ outcome: "absent" });
    expect(await put("4111111111111111")).toBeNull();
  });
});

describe("its books", () => {
  it("bind each key to its account and operation", async () => {
    const request = payment("4242424242424242");
    const result = await gateway.pay(request);
    expect(result).toMatchObject({ outcome: "succeeded", booked: { grossCents: 1050, feeCents: 40, currency: "EUR" } });
    await expect(gateway.pay({ ...request, amountCents: 1051 })).rejects.toThrow("another amount");
    await expect(gateway.pay({ ...request, currency: "USD" })).rejects.toThrow("another amount");
    const other = sandbox(`${account}-other`);
    await expect(other.pay(request)).rejects.toThrow("another account");
    await expect(other.cancel(sent(request))).rejects.toThrow("another account");
    const refund = refundOf(result.ref, 100);
    await gateway.refund(refund);
    await expect(gateway.refund({ ...refund, amountCents: 200 })).rejects.toThrow("another refund");
    await expect(other.refund({ ...refund, gatewayKey: newId("ref") })).rejects.toThrow("no such payment");
  });

  it("take charges that come at once with few connections, each with its own card's outcome", async () => {
    const cards = ["4242424242424242", "4000000000009995", "4000000000005134"];
    const refs = await Promise.all(cards.map((number) => put(number)));
    let acquired = 0;
    const count = () => acquired++;
    pool().on("acquire", count);
    const results = await Promise.all(Array.from({ length: 60 }, (_, index) => chargeSaved(refs[index % 3] ?? "")));
    pool().off("acquire", count);
    const each = ["succeeded", "insufficient_funds", "succeeded"];
    expect(results.map(words)).toEqual(Array.from({ length: 60 }, (_, index) => each[index % 3]));
    expect(acquired).toBeLessThan(20); // one each took 60
    const disputed = results.filter((_, index) => index % 3 === 2).map(({ ref }) => ref ?? "");
    expect(await db.sandboxDispute.count({ where: { charge_ref: { in: disputed } } })).toBe(20);
  });

  it("bind a key that two accounts use at once to one of them", async () => {
    const request = payment("4242424242424242");
    const both = [gateway, sandbox(`${account}-other`)].map((one) => one.pay(request));
    const results = await Promise.allSettled(both);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: expect.stringContaining("another account") },
    });
  });

  it.each([
    ["4000000000007726", "pending", { status: "succeeded", failure: null }],
    ["4000000000005126", "succeeded", { status: "failed", failure: "card_gone" }],
    ["4000000000005092", "failed", { status: "failed", failure: "declined" }],
  ])("refund %s by its card's behaviour: %s, then %o", async (number, first, then) => {
    const { ref } = await gateway.pay(payment(number));
    const request = refundOf(ref, 1050);
    const made = await gateway.refund(request);
    expect(made.status).toBe(first);
    expect(await gateway.refundsOf(ref ?? "")).toMatchObject([{ ref: made.ref, status: first }]);
    await later(10_100, async () => {
      expect(await gateway.refundsOf(ref ?? "")).toMatchObject([{ ref: made.ref, ...then }]);
      expect(await gateway.refund(request)).toMatchObject(then);
    });
  });

  it("allow a returned refund to be repeated, but no more", async () => {
    const { ref } = await gateway.pay(payment("4000000000005126"));
    const refund = () => gateway.refund(refundOf(ref, 1050));
    expect((await refund()).status).toBe("succeeded");
    expect(await refund()).toMatchObject({ status: "failed", failure: "already_refunded" });
    const again = await later(10_100, () => Promise.all([refund(), refund(), refund()]));
    expect(again.filter(({ status }) => status === "succeeded")).toHaveLength(1);
  });
});

describe("callbacks", () => {
  /** Delivers the due callbacks. Returns the types received for this key since `from`, in order. */
  const deliver = async (key: string, from = 0) => {
    while ((await deliverSandboxCallbacks(merchant.origin, account)) > 0);
    const ofKey = merchant.received.filter(({ body }) => body.includes(key));
    return ofKey.slice(from).map(({ body }) => JSON.parse(body).type);
  };

  it("report every new state to the account's address", async () => {
    const request = payment("4242424242424242");
    const { ref } = await gateway.pay(request);
    await gateway.pay(request);
    expect(await deliver(request.gatewayKey)).toEqual(["charge.succeeded"]);
    await gateway.refund(refundOf(ref, 100));
    await gateway.refund(refundOf(ref, 9_900));
    expect((await deliver(request.gatewayKey, 1)).sort()).toEqual(["refund.failed", "refund.succeeded"]);
    const declined = payment("4000000000000002");
    await gateway.pay(declined);
    expect(await deliver(declined.gatewayKey)).toEqual(["charge.failed"]);
    expect(new Set(merchant.received.map((one) => one.account))).toEqual(new Set([account]));
    expect(merchant.received.at(-1)?.headers.get("webhook-signature")).toMatch(/^v1,/);
  });

  it.each([
    ["approve", "charge.succeeded"],
    ["reject", "charge.failed"],
  ])("report the bank's answer (%s) once", async (answer, type) => {
    const request = payment("4000000000003220");
    const result = await gateway.pay(request);
    if (result.outcome !== "action") throw new Error(result.outcome);
    expect(await (await bank(result.url)).text()).toContain("Blue Bottle Books");
    expect((await bank(result.url, { answer })).headers.get("location")).toBe("/pay?id=pl_0&wait=1");
    await bank(result.url, { answer: "approve" });
    expect((await bank(result.url)).status).toBe(410);
    expect(await deliver(request.gatewayKey)).toEqual(["charge.action_required", type]);
  });

  it("report a cancelled, abandoned confirmation", async () => {
    const request = payment("4000000000003220");
    await gateway.pay(request);
    expect(words(await gateway.cancel(sent(request)))).toBe("abandoned");
    await gateway.cancel(sent(request));
    expect(await deliver(request.gatewayKey)).toEqual(["charge.action_required", "charge.failed"]);
  });

  it("report a late decision when it is made", async () => {
    const request = payment("4000000000005043");
    await gateway.pay(request);
    expect(await deliver(request.gatewayKey)).toEqual(["charge.processing"]);
    expect(await later(10_100, () => deliver(request.gatewayKey, 1))).toEqual(["charge.succeeded"]);
  });

  it("come three times and out of order for some cards", async () => {
    const twice = payment("4000000000005068");
    const { ref } = await gateway.pay(twice);
    await gateway.refund(refundOf(ref, 100));
    expect((await deliver(twice.gatewayKey)).sort()).toEqual([
      ...Array(3).fill("charge.succeeded"),
      ...Array(3).fill("refund.succeeded"),
    ]);
    const ids = merchant.received
      .filter(({ body }) => body.includes(twice.gatewayKey))
      .map((one) => one.headers.get("webhook-id"));
    expect(new Set(ids).size).toBe(2);

    const shuffled = payment("4000000000005076");
    await gateway.pay(shuffled);
    expect(await deliver(shuffled.gatewayKey)).toEqual(["charge.succeeded"]);
    expect(await later(2_100, () => deliver(shuffled.gatewayKey, 1))).toEqual(["charge.processing"]);
    expect((await gateway.lookup(sent(shuffled))).outcome).toBe("succeeded");
  });

  it("are tried ten times with growing delays", async () => {
    const [request, other] = [payment("4242424242424242"), payment("4242424242424242")];
    await gateway.pay(request);
    merchant.says.status = 503;
    expect(await deliver(request.gatewayKey)).toEqual([]);
    expect(await deliverSandboxCallbacks("http://127.0.0.1:9", account)).toBe(0); // not due yet
    merchant.says.status = 204;
    expect(await deliver(request.gatewayKey)).toEqual([]);
    expect(await later(5_100, () => deliver(request.gatewayKey))).toEqual(["charge.succeeded"]);
    expect(await later(99_999, () => deliver(request.gatewayKey, 1))).toEqual([]);

    await gateway.pay(other);
    const owed = () => db.sandboxCallback.findMany({ where: { body: { contains: other.gatewayKey } } });
    const pauses: number[] = [];
    for (let passed = 0; ; ) {
      await later(passed, () => deliverSandboxCallbacks("http://127.0.0.1:9", account)); // no server listens there
      const [row] = await owed();
      if (!row) break;
      const pause = Math.round((row.due_at.getTime() - Date.now() - ahead - passed) / 1000);
      pauses.push(pause);
      passed += pause * 1000 + 100;
    }
    expect(pauses).toEqual([5, 30, 120, 300, 900, 1_800, 3_600, 3_600, 3_600]);
  });

  it("are sent once when several processes deliver", async () => {
    const requests = Array.from({ length: 30 }, () => payment("4242424242424242"));
    await Promise.all(requests.map((request) => gateway.pay(request)));
    const before = merchant.received.length;
    const sums = await Promise.all(Array.from({ length: 4 }, () => deliverSandboxCallbacks(merchant.origin, account)));
    expect(sums.reduce((sum, one) => sum + one, 0)).toBe(30);
    expect(new Set(merchant.received.slice(before).map(({ body }) => body)).size).toBe(30);
    expect(merchant.received).toHaveLength(before + 30);
  });
});

describe("faults", () => {
  const own = `faults-${randomUUID()}`;
  const faulty = sandbox(own);

  it("affect a share of the calls, every kind of call, and one account", async () => {
    await setFault(own, "lost", 1);
    const card = cardOf("4242424242424242");
    const request = payment("4242424242424242");
    await expect(faulty.saveCard({ ...request, gatewayKey: newId("tkn"), card })).rejects.toThrow("lost");
    await expect(faulty.pay(request)).rejects.toThrow("lost");
    await expect(faulty.lookup(sent(request))).rejects.toThrow("lost");
    await expect(faulty.cancel(sent(request))).rejects.toThrow("lost");
    await expect(faulty.refundsOf("x")).rejects.toThrow("lost");
    await expect(faulty.chargeSaved({ ...payment("4242424242424242"), cardRef: "x", now: new Date() })).rejects.toThrow(
      "lost",
    );
    expect((await gateway.pay(payment("4242424242424242"))).outcome).toBe("succeeded");
    await clearFaults(own);
    expect((await faulty.lookup(sent(request))).outcome).toBe("succeeded");

    await setFault(own, "error", 0.5);
    const answers = await Promise.allSettled(Array.from({ length: 60 }, () => faulty.lookup(sent(request))));
    const failures = answers.filter(({ status }) => status === "rejected").length;
    expect(failures).toBeGreaterThan(5);
    expect(failures).toBeLessThan(55);
    await clearFaults(own);
  });

  it("can be delays", async () => {
    await setFault(own, "late", 1, 300);
    const begun = Date.now();
    expect((await faulty.pay(payment("4242424242424242"))).outcome).toBe("succeeded");
    expect(Date.now() - begun).toBeGreaterThanOrEqual(295);
    await clearFaults(own);
  });
});
