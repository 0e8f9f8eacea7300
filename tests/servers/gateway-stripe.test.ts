import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { clock } from "@/lib/core/clock";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { connectAccount, disconnectAccount, findAccount, listAccounts } from "@/lib/gateways/accounts";
import {
  type ChargeSavedRequest,
  KeyRefused,
  type PayRequest,
  type RefundRequest,
  type SentAttempt,
} from "@/lib/gateways/gateway";
import { eventTypes } from "@/lib/gateways/stripe/callbacks";
import { stripeClient } from "@/lib/gateways/stripe/client";
import { stripeGateway } from "@/lib/gateways/stripe/driver";
import { renewSubscriptions } from "@/lib/gateways/stripe/setup";
import { gatewayFor } from "@/lib/ledger/gateways";
import { aboutLink } from "@/tests/support/about";
import { createMerchant } from "@/tests/support/factory";
import { type Callback, gatewayConformance, type Kind, type Rig } from "@/tests/support/gateway-conformance";
import { keyRefusals } from "@/tests/support/stripe/faults";
import { startWithStripe } from "@/tests/support/stripe-merchant";

/** The gateway that new payments of a business go through. */
async function gatewayInUse(tenant: { business_id: number; livemode: boolean }) {
  const account = await db.gatewayAccount.findFirst({ where: { ...tenant, replaced_at: null } });
  return gatewayFor({ ...tenant, gateway_account_id: account?.id ?? null });
}

async function stored(id: string) {
  const keys = await findAccount(id);
  if (!keys) throw new Error(`no account ${id}`);
  return keys;
}

const fake = await startWithStripe();
afterAll(() => fake.close());

const numbers: Partial<Record<Kind, string>> = {
  pays: "4242424242424242",
  approves: "4000002760003184",
  rejects: "4000002760003184",
  "declined:card_declined": "4000000000000002",
  "declined:insufficient_funds": "4000000000009995",
  "declined:card_blocked": "4000000000009987",
  "declined:expired_card": "4000000000000069",
  "declined:incorrect_cvc": "4000000000000127",
  "declined:processing_error": "4000000000000119",
  saved_declined: "4000000000000341",
  saved_asks: "4000002760003184",
  refund_pending: "4000000000007726",
  refund_fails: "4000000000005126",
  dispute_won: "4000000000000259",
  dispute_lost: "4000000000002685",
  dispute_inquiry: "4000000000001976",
  risk_elevated: "4000000000009235",
  risk_highest: "4100000000000019",
};

/** An account at the fake, with the keys that a connection would store. */
function keysOf({ id, secretKey }: { id: string; secretKey: string }, webhookSecret: string | null = null) {
  const mark = { comparedUntil: new Date(), database: "1" };
  const keys = { id: newId("gwa"), businessId: 1, livemode: false, externalId: id, secretKey, webhookSecret };
  return { ...keys, refusedCalls: [], sealed: "", mark };
}

/** Stripe's own client: what the merchant does elsewhere, in the dashboard or with other programs. */
function elsewhere({ secretKey }: { secretKey: string }): Stripe {
  return fake.client(secretKey);
}

/** Something that takes the callbacks of one account. */
async function receiver(account: { id: string; secretKey: string }) {
  const received: Callback[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      const headers = new Headers({ "stripe-signature": String(req.headers["stripe-signature"]) });
      received.push({ body: Buffer.concat(chunks).toString("utf8"), headers });
      res.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { secret } = await elsewhere(account).webhookEndpoints.create({ url, enabled_events: [...eventTypes] });
  return { received, secret: secret ?? null, close: () => server.close() };
}

async function stripeRig(): Promise<Rig> {
  const account = fake.account();
  const calls = await receiver(account);
  const other = await receiver(fake.account());
  const gateway = stripeGateway(keysOf(account, calls.secret));
  const callbacks = async () => {
    await fake.callbacks.waitIdle();
    return calls.received;
  };
  return {
    gateway,
    sendsOffSessionCallbacks: true,
    other: stripeGateway(keysOf(fake.account(), other.secret)),
    kinds: new Set(Object.keys(numbers) as Kind[]),
    card: () => null,
    act: async ({ ref }, kind) => {
      const { status } = fake.payer.complete(ref, { number: numbers[kind] ?? "" });
      if (status === "closed") throw new Error("The page takes nothing any more.");
      if (status === "challenge") fake.payer[kind === "rejects" ? "reject" : "approve"](ref);
    },
    taken: async (key) =>
      fake
        .charges()
        .filter(({ metadata }) => metadata.paydesk_payment === key)
        .map(({ amount, currency, refunded }) => {
          const unit = currency === "jpy" ? 1 : 100;
          return { units: amount / unit, currency: currency.toUpperCase(), returned: refunded / unit };
        }),
    recorded: async (key) => {
      const found = fake.charges().find(({ metadata }) => metadata.paydesk_payment === key);
      if (!found) throw new Error(`Nothing was charged with ${key}.`);
      const { paydesk_link: link = null, paydesk_subscription: subscription = null, paydesk_period } = found.metadata;
      return { link, subscription, period: paydesk_period === undefined ? null : Number(paydesk_period) };
    },
    withFault: async (fault, work) => {
      if (fault === "refused") return fake.withoutConnections(work);
      const kind = { lost: "lost_reply", error: "error_500", away: "lost_request", limited: "rate_limited" } as const;
      // A look before the leap must not stand in for the leap.
      const heal = fake.fault({ kind: kind[fault], share: 1, method: fault === "lost" ? "POST" : undefined });
      try {
        return await work();
      } finally {
        heal();
      }
    },
    settleRefunds: async () => fake.settleRefunds(),
    settleDisputes: async () => {
      const decisions = new Map([
        ["fraudulent", "won"],
        ["product_not_received", "lost"],
      ]);
      for (const { paymentIntent } of fake.charges(account.id)) {
        for (const { id, reason, status } of fake.bank.disputes(paymentIntent))
          if (status.endsWith("needs_response")) fake.bank.move(id, decisions.get(reason) ?? "warning_closed");
      }
    },
    payOut: async () => {
      fake.payOut(account.id);
      return (await gateway.payouts({ since: new Date(0), now: new Date() }, null)).rows;
    },
    callbacks,
    irrelevant: async () => {
      const { paymentIntents } = elsewhere(account);
      const { id } = await paymentIntents.create({ amount: 500, currency: "eur", metadata: { order: "77" } });
      await paymentIntents.cancel(id);
      const found = (await callbacks()).find(({ body }) => body.includes(id));
      if (!found) throw new Error("The fake did not call.");
      return found;
    },
    numbers: Object.values(numbers),
    close: async () => {
      calls.close();
      other.close();
    },
  };
}

gatewayConformance("Stripe", stripeRig);

describe("the driver", () => {
  const account = fake.account();
  const gateway = stripeGateway(keysOf(account));
  const merchantsOwn = elsewhere(account);
  const hour = 3_600_000;
  let later = 0;
  /** Time passes, here and there. */
  const wait = (ms: number) => {
    later += ms;
    fake.advance(ms);
    vi.spyOn(clock, "now").mockImplementation(() => new Date(Date.now() + later));
  };
  const requests = (path: string, method = "POST") =>
    fake.requests.filter((request) => request.path.startsWith(path) && request.method === method);

  const payment = (over: Partial<PayRequest> = {}): PayRequest => ({
    gatewayKey: newId("pay"),
    startedAt: clock.now(),
    amountCents: 1050,
    currency: "EUR",
    card: null,
    merchant: "Blue Bottle Books",
    title: "Order 1001",
    about: aboutLink("pl_0"),
    email: "ada@example.com",
    returnPath: "/pay?id=pl_0&wait=1",
    ...over,
  });
  const sent = (request: PayRequest | ChargeSavedRequest, ref: string | null = null): SentAttempt => ({
    ...request,
    ref,
    cardRef: "cardRef" in request ? request.cardRef : null,
  });
  const open = async (over: Partial<PayRequest> = {}) => {
    const request = payment(over);
    const result = await gateway.pay(request);
    if (result.outcome !== "action") throw new Error(`ended as ${result.outcome}`);
    return { request, ref: result.ref };
  };
  const paid = async () => {
    const { request, ref } = await open();
    fake.payer.complete(ref, { number: "4242424242424242" });
    const result = await gateway.lookup(sent(request, ref));
    if (result.outcome !== "succeeded") throw new Error(`ended as ${result.outcome}`);
    return { request, ref: result.ref, booked: result.booked };
  };
  const savedCard = async (number: string) => {
    const request = {
      gatewayKey: newId("tkn"),
      startedAt: clock.now(),
      card: null,
      email: "ada@example.com",
      merchant: "Books",
    };
    const result = await gateway.saveCard({ ...request, returnPath: "/activate/token" });
    if (result.outcome !== "action") throw new Error(`ended as ${result.outcome}`);
    if (fake.payer.complete(result.ref, { number }).status === "challenge") fake.payer.approve(result.ref);
    const saved = await gateway.lookupSave(result.ref);
    if (saved.outcome !== "saved") throw new Error(`ended as ${saved.outcome}`);
    return saved.ref;
  };
  const charge = async (number: string): Promise<ChargeSavedRequest> => {
    const { card, email, returnPath, ...rest } = payment();
    return { ...rest, cardRef: await savedCard(number), now: new Date() };
  };
  const moved = (key: string) => fake.charges().filter(({ metadata }) => metadata.paydesk_payment === key).length;
  afterEach(() => fake.callbacks.waitIdle());

  it("pins the API version, sends the attempt's key, and repeats identical requests", async () => {
    const asked: { version: string; key: string | undefined }[] = [];
    const note = (event: Stripe.RequestEvent) => asked.push({ version: event.api_version, key: event.idempotency_key });
    stripeClient(account.secretKey).on("request", note);
    const { request } = await open();
    await gateway.pay(request);
    stripeClient(account.secretKey).off("request", note);
    expect(new Set(asked.map(({ version }) => version))).toEqual(new Set(["2026-10-28.endive"]));
    const posts = requests("/v1/checkout/sessions").filter(
      ({ idempotencyKey }) => idempotencyKey === request.gatewayKey,
    );
    expect(posts.map(({ status }) => status)).toEqual([200, 200]);
    expect(posts[1]?.params).toEqual(posts[0]?.params);
    expect(posts[0]?.params).toMatchObject({
      client_reference_id: request.gatewayKey,
      customer_email: "ada@example.com",
      expires_at: String(Math.floor(request.startedAt.getTime() / 1000) + 2100),
    });
  });

  it("names the payment, its reference and the merchant", async () => {
    const about = { ...aboutLink("pl_1"), reference: "INV-2026-001" };
    const { ref } = await open({ about, merchant: "Café <Müller> & Söhne" });
    const session = await merchantsOwn.checkout.sessions.retrieve(ref);
    expect(session.metadata).toMatchObject({ paydesk_link: "pl_1" });
    fake.payer.complete(ref, { number: "4242424242424242" });
    const { payment_intent } = await merchantsOwn.checkout.sessions.retrieve(ref, { expand: ["payment_intent"] });
    expect(payment_intent).toMatchObject({
      description: "Order 1001 (INV-2026-001)",
      statement_descriptor_suffix: "Cafe Mulle",
      metadata: { paydesk_link: "pl_1" },
    });
    const saved = await charge("4242424242424242");
    const { ref: intent } = await gateway.chargeSaved({ ...saved, merchant: "本屋 2026" });
    expect(await merchantsOwn.paymentIntents.retrieve(intent ?? "")).toMatchObject({
      description: "Order 1001",
      statement_descriptor_suffix: null,
    });
  });

  it("sends nothing when the amount cannot be expressed in Stripe's units", async () => {
    const before = fake.requests.length;
    expect(gateway.supportsAmount(1050, "JPY")).toBe(false);
    const result = await gateway.pay(payment({ currency: "JPY" }));
    expect(result).toMatchObject({ outcome: "declined", reason: "gateway_refused", code: null });
    expect(fake.requests.length).toBe(before);
  });

  it("says what Stripe refused, and that the merchant must fix it", async () => {
    const refused = (code: string) => ({
      outcome: "declined",
      reason: "gateway_refused",
      code,
      ref: null,
      card: null,
      risk: null,
    });
    expect(await gateway.pay(payment({ amountCents: 20 }))).toEqual(refused("amount_too_small"));
    const saved = await charge("4242424242424242");
    expect(await gateway.chargeSaved({ ...saved, amountCents: 20 })).toEqual(refused("amount_too_small"));
    // The test's APP_URL is http, and Stripe has no code for that.
    const live = fake.account("live");
    const liveGateway = stripeGateway({ ...keysOf(live), livemode: true });
    expect(await liveGateway.pay(payment())).toEqual(refused("invalid_request_error"));
    const saving = {
      gatewayKey: newId("tkn"),
      startedAt: clock.now(),
      card: null,
      email: "ada@example.com",
      merchant: "Books",
    };
    expect(await liveGateway.saveCard({ ...saving, returnPath: "/activate/token" })).toEqual({
      outcome: "declined",
      reason: "gateway_refused",
    });
  });

  it("repeats a request that was surely not executed, with the same key", async () => {
    const request = await charge("4242424242424242");
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "rate_limited", times: 2 });
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "proxy_limited" });
    expect((await gateway.chargeSaved(request)).outcome).toBe("succeeded");
    const posts = requests("/v1/payment_intents").filter(({ idempotencyKey }) => idempotencyKey === request.gatewayKey);
    expect(posts.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
    expect(moved(request.gatewayKey)).toBe(1);
  });

  it("cannot tell when it is limited after a lost reply", async () => {
    const request = await charge("4242424242424242");
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "lost_reply" });
    const heal = fake.fault({ method: "POST", path: /payment_intents$/, kind: "rate_limited", share: 1 });
    await expect(gateway.chargeSaved(request)).rejects.toThrow("StripeRateLimitError");
    heal();
    expect((await gateway.lookup(sent(request))).outcome).toBe("succeeded");
  });

  it("repeats a request whose object was locked, and cannot tell when that is not executed", async () => {
    const posts = { method: "POST", path: /payment_intents$/ };
    const request = await charge("4242424242424242");
    fake.fault({ ...posts, kind: "lock_timeout" });
    expect((await gateway.chargeSaved(request)).outcome).toBe("succeeded");
    const refused = [
      ["lock_timeout", "StripeRateLimitError, 429, lock_timeout"],
      ["rate_limited", "StripeRateLimitError, 429, rate_limit"],
      ["key_expired", "refused the account's key"],
    ] as const;
    for (const [kind, message] of refused) {
      const charged = await charge("4242424242424242");
      fake.fault({ ...posts, kind: "lock_timeout" });
      const heal = fake.fault({ ...posts, kind, share: 1 });
      const error: unknown = await gateway.chargeSaved(charged).catch((thrown: unknown) => thrown);
      heal();
      expect(error).toMatchObject({ message: expect.stringContaining(message) });
      if (error instanceof KeyRefused) expect(error.executedNothing).toBe(false);
      expect((await gateway.chargeSaved(charged)).outcome).toBe("succeeded");
      expect(moved(charged.gatewayKey)).toBe(1);
    }
  });

  it("reports a payment as abandoned when its page expires, and as declined when a card was refused there", async () => {
    const left = await open();
    const refused = await open();
    fake.payer.complete(refused.ref, { number: "4000000000009995" });
    wait(36 * 60_000);
    expect(await gateway.lookup(sent(left.request, left.ref))).toMatchObject({ reason: "abandoned", card: null });
    expect(await gateway.lookup(sent(refused.request, refused.ref))).toMatchObject({
      outcome: "declined",
      reason: "insufficient_funds",
      card: { brand: "visa", last4: "9995" },
    });
  });

  it("does not open a second page for a key that is repeated a day later", async () => {
    const { request } = await paid();
    wait(25 * hour);
    expect(await gateway.pay(request)).toMatchObject({ outcome: "succeeded" });
    expect(moved(request.gatewayKey)).toBe(1);
  });

  it("charges a saved card once, even when the key is repeated a day later", async () => {
    const request = await charge("4242424242424242");
    const first = await gateway.chargeSaved(request);
    const unsent = { ...request, gatewayKey: newId("pay") };
    wait(25 * hour);
    expect(await gateway.chargeSaved(request)).toEqual(first);
    expect(await gateway.chargeSaved(unsent)).toMatchObject({ outcome: "declined", reason: "processing_error" });
    expect([moved(request.gatewayKey), moved(unsent.gatewayKey)]).toEqual([1, 0]);
  });

  const refundOf = (chargeRef: string, amountCents = 300): RefundRequest => ({
    gatewayKey: newId("ref"),
    startedAt: clock.now(),
    chargeRef,
    amountCents,
    currency: "EUR",
  });
  /** The idempotency keys by which a refund was requested, in order, without its own key: "" or "/2". */
  const keysUsed = ({ gatewayKey }: RefundRequest) =>
    requests("/v1/refunds").flatMap(({ idempotencyKey: key }) =>
      key?.startsWith(gatewayKey) ? [key.slice(gatewayKey.length)] : [],
    );

  it("makes a refund once, even when the key is repeated a day later", async () => {
    const { ref } = await paid();
    const request = refundOf(ref);
    const first = await gateway.refund(request);
    wait(25 * hour);
    expect(await gateway.refund(request)).toEqual(first);
    await expect(gateway.refund({ ...request, amountCents: 400 })).rejects.toThrow("another amount");
    expect(await gateway.refundsOf(ref)).toHaveLength(1);
  });

  it("makes a refund once with a second key, an hour after Stripe has stored a failure for the first", async () => {
    const { ref } = await paid();
    const request = refundOf(ref);
    fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored" });
    for (const _ of [1, 2]) await expect(gateway.refund(request)).rejects.toThrow("StripeAPIError, 500");
    expect(keysUsed(request)).toEqual(["", ""]);
    wait(61 * 60_000);
    await Promise.allSettled([1, 2, 3].map(() => gateway.refund(request)));
    const made = await gateway.refund(request);
    expect(made).toMatchObject({ status: "succeeded" });
    wait(25 * hour);
    expect(await gateway.refund(request)).toEqual(made);
    expect(await gateway.refundsOf(ref)).toMatchObject([{ gatewayKey: request.gatewayKey, amountCents: 300 }]);
    expect(new Set(keysUsed(request))).toEqual(new Set(["", "/2"]));
  });

  it("waits an hour from the stored failure on, also for a refund that was sent two hours late", async () => {
    const { ref } = await paid();
    const request = { ...refundOf(ref), startedAt: new Date(clock.now().getTime() - 2 * hour) };
    fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored" });
    for (const _ of [1, 2, 3]) await expect(gateway.refund(request)).rejects.toThrow("StripeAPIError, 500");
    expect(keysUsed(request)).toEqual(["", "", ""]);
    wait(61 * 60_000);
    expect(await gateway.refund(request)).toMatchObject({ status: "succeeded" });
    expect(keysUsed(request)).toEqual(["", "", "", "", "/2"]);
  });

  it("does not use the second key when the refund with the first one is there after all", async () => {
    const { ref } = await paid();
    const request = refundOf(ref);
    fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored" });
    for (const _ of [1, 2]) await expect(gateway.refund(request)).rejects.toThrow("StripeAPIError, 500");
    wait(61 * 60_000);
    // It appears between the first search and the sending: in between, the driver reads the intent.
    const searches = () => requests("/v1/refunds", "GET").length;
    const before = searches();
    fake.fault({ method: "GET", path: /payment_intents\//, kind: "slow", ms: 4_000 });
    const refunding = gateway.refund(request);
    await expect.poll(searches).toBe(before + 1);
    const metadata = { paydesk_refund: request.gatewayKey };
    const { id } = await merchantsOwn.refunds.create({ payment_intent: ref, amount: 300, metadata });
    expect(await refunding).toMatchObject({ status: "succeeded", ref: id });
    expect(keysUsed(request)).toEqual(["", "", ""]);
  });

  it("never uses a third key: a refund whose second one failed, too, is made a day later", async () => {
    const { ref } = await paid();
    const request = refundOf(ref);
    fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored" });
    for (const _ of [1, 2]) await expect(gateway.refund(request)).rejects.toThrow("StripeAPIError, 500");
    wait(61 * 60_000);
    // Of the two requests the first repeats the stored failure, and the second is a new failure.
    fake.fault({ method: "POST", path: /refunds$/, kind: "error_500_stored", times: 2 });
    for (const _ of [1, 2]) await expect(gateway.refund(request)).rejects.toThrow("StripeAPIError, 500");
    expect(keysUsed(request)).toEqual(["", "", "", "/2", "", "/2"]);
    expect(await gateway.refundsOf(ref)).toEqual([]);
    wait(24 * hour);
    expect(await gateway.refund(request)).toMatchObject({ status: "succeeded" });
    expect(keysUsed(request).slice(6)).toEqual([""]);
  });

  it("says why a refund was refused", async () => {
    const { ref } = await paid();
    const refund = (amountCents: number) => gateway.refund(refundOf(ref, amountCents));
    await refund(1000);
    expect(await refund(100)).toMatchObject({ status: "failed", ref: null, failure: "already_refunded" });
    await refund(50);
    expect(await refund(50)).toMatchObject({ status: "failed", ref: null, failure: "already_refunded" });
  });

  it("finds refunds made in Stripe's dashboard, and the payment of their callbacks", async () => {
    const other = fake.account();
    const { received, secret, close } = await receiver(other);
    const theirs = stripeGateway(keysOf(other, secret));
    const request = payment();
    const page = await theirs.pay(request);
    if (page.outcome !== "action") throw new Error(`ended as ${page.outcome}`);
    fake.payer.complete(page.ref, { number: "4242424242424242" });
    const result = await theirs.lookup(sent(request, page.ref));
    if (result.outcome !== "succeeded") throw new Error(`ended as ${result.outcome}`);
    const made = await elsewhere(other).refunds.create({ payment_intent: result.ref, amount: 250 });
    expect(await theirs.refundsOf(result.ref)).toMatchObject([
      { ref: made.id, gatewayKey: null, amountCents: 250, status: "succeeded", failure: null },
    ]);
    await fake.callbacks.waitIdle();
    const about = received.filter(({ body }) => JSON.parse(body).type === "refund.created");
    expect(about).toHaveLength(1);
    for (const { body, headers } of about) {
      expect(await theirs.readCallback(body, headers)).toEqual({ about: "payment", key: request.gatewayKey });
    }
    close();
  });

  it("rejects a payment of another amount or currency", async () => {
    const { request, ref } = await paid();
    for (const over of [{ amountCents: 1000 }, { currency: "USD" }]) {
      await expect(gateway.lookup({ ...sent(request, ref), ...over })).rejects.toThrow("not what was requested");
    }
  });

  it("ends a refused charge even when it cannot cancel it, and cancels it on request", async () => {
    const request = await charge("4000000000000341");
    const heal = fake.fault({ method: "POST", path: /cancel$/, kind: "error_500", share: 1 });
    const result = await gateway.chargeSaved(request);
    expect(result).toMatchObject({ outcome: "declined", reason: "card_declined", card: { last4: "0341" } });
    const ref = result.ref ?? "";
    expect((await merchantsOwn.paymentIntents.retrieve(ref)).status).toBe("requires_payment_method");
    expect(await gateway.lookup(sent(request))).toMatchObject({ outcome: "declined", reason: "card_declined" });
    heal();
    expect(await gateway.lookup(sent(request, ref))).toMatchObject({ outcome: "declined", reason: "card_declined" });
    expect((await merchantsOwn.paymentIntents.retrieve(ref)).status).toBe("canceled");
    expect(await gateway.chargeSaved(request)).toEqual(result);
  });

  it("stops a charge that waits for the payer although nobody is there", async () => {
    const request = await charge("4000000000003220");
    const result = await gateway.chargeSaved(request);
    expect(result).toMatchObject({ outcome: "declined", reason: "authentication_required" });
    expect((await merchantsOwn.paymentIntents.retrieve(result.ref ?? "")).status).toBe("canceled");
    expect(await gateway.lookup(sent(request))).toMatchObject({ outcome: "declined" });
  });

  it("reports a detached card as unusable", async () => {
    const request = await charge("4242424242424242");
    await merchantsOwn.paymentMethods.detach(request.cardRef.split("/")[1] ?? "");
    expect(await gateway.chargeSaved(request)).toMatchObject({ outcome: "declined", reason: "card_not_supported" });
  });

  it("uses up the key of an abandoned attempt and leaves nothing behind", async () => {
    const request = payment();
    expect(await gateway.cancel(sent(request))).toMatchObject({ outcome: "declined", reason: "processing_error" });
    expect(await gateway.cancel(sent(request))).toMatchObject({ outcome: "declined" });
    await expect(gateway.pay(request)).rejects.toThrow("StripeIdempotencyError");
    const [taken] = requests("/v1/customers").filter(({ idempotencyKey }) => idempotencyKey === request.gatewayKey);
    expect(taken?.params).toMatchObject({ metadata: { paydesk_taken: request.gatewayKey } });
    const { data } = await merchantsOwn.customers.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata.paydesk_taken)).toEqual([]);
  });

  it("does not report an attempt as ended while its key may still be in use", async () => {
    const request = payment();
    // Somebody else's request stands for ours, which was executed and has made nothing that is found.
    await merchantsOwn.customers.create({ name: "x" }, { idempotencyKey: request.gatewayKey });
    await expect(gateway.cancel(sent(request))).rejects.toThrow("look it up again");
    wait(11 * 60_000);
    expect(await gateway.cancel(sent(request))).toMatchObject({ outcome: "declined" });
  });

  it("ends an attempt although Stripe has stored a failure under its key", async () => {
    const absent = payment();
    fake.fault({ method: "POST", path: /customers$/, kind: "error_500_stored" });
    await expect(gateway.cancel(sent(absent))).rejects.toThrow("StripeAPIError, 500");
    const failed = payment();
    fake.fault({ method: "POST", path: /sessions$/, kind: "error_500_stored" });
    await expect(gateway.pay(failed)).rejects.toThrow("StripeAPIError, 500");
    const charged = await charge("4242424242424242");
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "error_500_stored" });
    await expect(gateway.chargeSaved(charged)).rejects.toThrow("StripeAPIError, 500");
    const all = [absent, failed, charged];
    for (const request of all) await expect(gateway.cancel(sent(request))).rejects.toThrow("look it up again");
    wait(11 * 60_000);
    for (const request of all) expect(await gateway.cancel(sent(request))).toMatchObject({ outcome: "declined" });
    await expect(gateway.pay(absent)).rejects.toThrow("StripeIdempotencyError");
    expect(all.map(({ gatewayKey }) => moved(gatewayKey))).toEqual([0, 0, 0]);
  });

  it("leaves a processing payment alone and reports its outcome", async () => {
    const request = await charge("4242424242424242");
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "slow", ms: 500 });
    const charging = gateway.chargeSaved(request);
    await sleep(150);
    await expect(gateway.cancel(sent(request))).rejects.toThrow("look it up again");
    const charged = await charging;
    expect(charged.outcome).toBe("succeeded");
    expect(await gateway.cancel(sent(request))).toEqual(charged);
    expect(moved(request.gatewayKey)).toBe(1);
  });

  it("finds a payment that arrived after the first query", async () => {
    const request = await charge("4242424242424242");
    // The taking of the key is lost at first, and sent again half a second later.
    fake.fault({ method: "POST", path: /customers$/, kind: "lost_request" });
    const ended = gateway.cancel(sent(request));
    await sleep(150);
    const charged = await gateway.chargeSaved(request);
    expect(charged.outcome).toBe("succeeded");
    expect(await ended).toEqual(charged);
  });

  it("answers a repeated call with the first one's outcome", async () => {
    const { request } = await paid();
    expect(await gateway.pay(request)).toMatchObject({ outcome: "succeeded" });
    const { gatewayKey, startedAt, email, merchant } = payment();
    const saving = { gatewayKey, startedAt, card: null, email, merchant, returnPath: "/activate/token" } as const;
    const page = await gateway.saveCard(saving);
    if (page.outcome !== "action") throw new Error(`ended as ${page.outcome}`);
    expect(await gateway.saveCard(saving)).toEqual(page);
    fake.payer.complete(page.ref, { number: "5555555555554444" });
    expect(await gateway.saveCard(saving)).toMatchObject({ outcome: "saved", card: { brand: "mastercard" } });
  });

  it.each(Object.entries(keyRefusals))("tells what a refused key (%s) left undone", async (kind, [status, code]) => {
    const expected = { code: code ?? null, wholeKey: status === 401 };
    const { request, ref } = await open();
    const { ref: intent } = await paid();
    const saved = await charge("4242424242424242");
    const refuse = (path: RegExp, method?: string) =>
      fake.fault({ kind: kind as keyof typeof keyRefusals, path, method, share: 1 });
    const refused = async (work: () => Promise<unknown>, path: RegExp, executedNothing: boolean, method?: string) => {
      const heal = refuse(path, method);
      await expect(work()).rejects.toMatchObject({ ...expected, executedNothing });
      heal();
    };
    const unpaid = payment();
    await refused(() => gateway.pay(unpaid), /sessions$/, true, "POST");
    await refused(() => gateway.chargeSaved(saved), /payment_intents$/, true, "POST");
    await refused(() => gateway.lookup(sent(request, ref)), /sessions/, false);
    await refused(() => gateway.cancel(sent(request, ref)), /expire$/, false);
    const card = {
      gatewayKey: newId("tkn"),
      startedAt: clock.now(),
      card: null,
      email: "ada@example.com",
      merchant: "Books",
    };
    for (const path of [/customers$/, /sessions$/])
      await refused(() => gateway.saveCard({ ...card, returnPath: "/activate/token" }), path, true);
    const refund = refundOf(intent);
    for (const path of [/refunds$/, /payment_intents/]) await refused(() => gateway.refund(refund), path, true, "GET");
    await refused(() => gateway.refund(refund), /refunds$/, true, "POST");
    await refused(() => gateway.refundsOf(intent), /refunds$/, false);
    expect([moved(unpaid.gatewayKey), moved(saved.gatewayKey)]).toEqual([0, 0]);
    expect(await gateway.refundsOf(intent)).toEqual([]);
  });

  it("cannot tell when the key was refused after a lost reply", async () => {
    const request = await charge("4242424242424242");
    fake.fault({ method: "POST", path: /payment_intents$/, kind: "lost_reply" });
    const heal = fake.fault({ method: "POST", path: /payment_intents$/, kind: "key_expired", share: 1 });
    await expect(gateway.chargeSaved(request)).rejects.toMatchObject({ executedNothing: false });
    heal();
    expect(moved(request.gatewayKey)).toBe(1);
    expect(await gateway.lookup(sent(request))).toMatchObject({ outcome: "succeeded" });
  });

  it("throws errors without keys and request data", async () => {
    const wrong = stripeGateway(keysOf({ id: "acct_1", secretKey: "sk_test_ThisIsNobodysKey0000" }));
    const error: unknown = await wrong.pay(payment()).catch((thrown: unknown) => thrown);
    if (!(error instanceof Error)) throw new Error("nothing was thrown");
    expect(error).toBeInstanceOf(KeyRefused);
    expect({ ...error }).toEqual({ code: null, wholeKey: true, executedNothing: true });
    expect(`${error.message}${error.stack}${String(error.cause)}`).not.toMatch(/ThisIsNobodys|0000|ada@/);
  });
});

describe("an account", () => {
  let businessId: number;
  beforeAll(async () => {
    ({ businessId } = await createMerchant());
  });
  const test = (secretKey: string) => ({ businessId, livemode: false, secretKey });
  const inUse = () => db.gatewayAccount.findMany({ where: { business_id: businessId, replaced_at: null } });
  const endpoints = async (keys: { secretKey: string }) => (await elsewhere(keys).webhookEndpoints.list()).data;

  it("is connected with an endpoint for exactly the handled events, and hides its keys", async () => {
    const account = fake.account();
    const { id, externalId, callbacks, address } = await connectAccount(test(account.secretKey));
    expect([externalId, callbacks]).toEqual([account.id, "created"]);
    const [endpoint, ...more] = await endpoints(account);
    expect(more).toEqual([]);
    expect(endpoint).toMatchObject({ url: address, enabled_events: eventTypes, api_version: "2026-10-28.endive" });
    expect(address).toBe(`${process.env.APP_URL}/api/gateways/stripe/webhook?account=${id}`);

    const keys = await stored(id);
    expect(keys).toMatchObject({ id, businessId, livemode: false, externalId, secretKey: account.secretKey });
    expect(keys.webhookSecret).toMatch(/^whsec_/);
    const row = await db.gatewayAccount.findUniqueOrThrow({ where: { id } });
    const written = JSON.stringify(row);
    expect(written).not.toContain(account.secretKey.slice(12, -4));
    expect(written).not.toContain(keys.webhookSecret?.slice(6));
    expect(JSON.stringify(await listAccounts(businessId))).not.toContain(row.secrets);
    const gateway = await gatewayInUse({ business_id: businessId, livemode: false });
    expect([gateway?.name, gateway?.accountId]).toEqual(["stripe", id]);
    expect(await gatewayInUse({ business_id: businessId, livemode: true })).toBeNull();
  });

  it("gets the events that an older version did not subscribe to", async () => {
    const account = fake.account();
    const { id } = await connectAccount(test(account.secretKey));
    const [endpoint] = await endpoints(account);
    const old = { enabled_events: ["refund.updated" as const] };
    await elsewhere(account).webhookEndpoints.update(endpoint?.id ?? "", old);
    const own = { url: "https://example.com", ...old };
    await elsewhere(account).webhookEndpoints.create(own);
    await renewSubscriptions(account.secretKey, id);
    const events = (await endpoints(account)).map(({ enabled_events }) => enabled_events);
    expect(events).toEqual(expect.arrayContaining([[...eventTypes], own.enabled_events]));
    const before = fake.requests.length;
    await renewSubscriptions(account.secretKey, id);
    expect(fake.requests.slice(before).map(({ method }) => method)).toEqual(["GET"]);
  });

  it("keeps its row and its endpoint when it is reconnected with new keys", async () => {
    const account = fake.account();
    const first = await connectAccount(test(account.secretKey));
    const before = await stored(first.id);
    const [old] = await endpoints(account);
    const again = await connectAccount(test(account.secretKey));
    expect(again.id).toBe(first.id);
    const after = await stored(first.id);
    expect(after.webhookSecret).not.toBe(before.webhookSecret);
    const left = await endpoints(account);
    expect(left).toHaveLength(1);
    expect(left[0]?.id).not.toBe(old?.id);
    expect((await inUse()).map(({ id }) => id)).toEqual([first.id]);

    const given = await connectAccount({ ...test(account.secretKey), webhookSecret: "whsec_madeByHand" });
    expect([given.id, given.callbacks]).toEqual([first.id, "given"]);
    expect((await stored(first.id)).webhookSecret).toBe("whsec_madeByHand");
    expect(await endpoints(account)).toEqual([]);
  });

  it("can be replaced, and keeps its keys for its earlier payments", async () => {
    const [one, two] = [fake.account(), fake.account()];
    const first = await connectAccount(test(one.secretKey));
    const second = await connectAccount(test(two.secretKey));
    expect((await inUse()).map(({ id }) => id)).toEqual([second.id]);
    expect((await stored(first.id)).secretKey).toBe(one.secretKey);
    expect(await endpoints(one)).toHaveLength(1);
    expect((await connectAccount(test(one.secretKey))).id).toBe(first.id);
    expect((await inUse()).map(({ id }) => id)).toEqual([first.id]);
    expect(await disconnectAccount(businessId, false)).toBe(true);
    expect(await disconnectAccount(businessId, false)).toBe(false);
    expect((await gatewayInUse({ business_id: businessId, livemode: false }))?.name).toBe("sandbox");
  });

  it("is unique, even when two are connected at once", async () => {
    const accounts = [fake.account(), fake.account(), fake.account()];
    await Promise.allSettled(accounts.map(({ secretKey }) => connectAccount(test(secretKey))));
    expect(await inUse()).toHaveLength(1);
    const same = fake.account();
    fake.fault({ path: /account$/, kind: "slow", ms: 300 });
    const twice = await Promise.allSettled([1, 2].map(() => connectAccount(test(same.secretKey))));
    expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await inUse()).map((row) => row.external_id)).toEqual([same.id]);
    expect(await endpoints(same)).toHaveLength(1);
  });

  it("leaves everything as it was when it cannot be connected", async () => {
    const good = fake.account();
    const { id } = await connectAccount(test(good.secretKey));
    const refused = async (over: Partial<Parameters<typeof connectAccount>[0]>, message: string) => {
      const asked = connectAccount({ ...test(fake.account().secretKey), ...over });
      await expect(asked).rejects.toThrow(message);
    };
    await refused({ livemode: true }, "This is a test key: it cannot take live payments.");
    await refused({ secretKey: "pk_test_0123456789abcdef" }, "no secret key of Stripe's");
    await refused({ secretKey: "sk_test_0123456789abcdef" }, "Stripe does not know this key.");
    await refused({ webhookSecret: "secret" }, "no webhook secret");
    await refused({ businessId: 2_147_483_647 }, "There is no business 2147483647.");
    const heal = fake.fault({ method: "POST", path: /webhook_endpoints$/, kind: "error_500", share: 1 });
    await refused({}, "Stripe gave no usable answer");
    heal();
    expect((await inUse()).map((row) => row.id)).toEqual([id]);
    expect(await stored(id)).toMatchObject({ secretKey: good.secretKey });
    expect(await findAccount(newId("gwa"))).toBeNull();
  });

  it("is connected without an endpoint when Stripe refuses one, and keeps an existing one", async () => {
    const account = fake.account();
    const hold = { url: "https://example.com", enabled_events: ["charge.updated" as const] };
    const made = await Promise.all(Array.from({ length: 16 }, () => elsewhere(account).webhookEndpoints.create(hold)));
    const without = await connectAccount(test(account.secretKey));
    expect(without.callbacks).toBe("missing");
    expect((await stored(without.id)).webhookSecret).toBeNull();
    await elsewhere(account).webhookEndpoints.del(made[0]?.id ?? "");
    expect((await connectAccount(test(account.secretKey))).callbacks).toBe("created");
    const { webhookSecret } = await stored(without.id);
    expect((await connectAccount(test(account.secretKey))).callbacks).toBe("kept");
    expect((await stored(without.id)).webhookSecret).toBe(webhookSecret);
  });

  it("can be decrypted only in its own row", async () => {
    const [mine, theirs] = [fake.account(), fake.account()];
    const { id } = await connectAccount(test(mine.secretKey));
    const other = await createMerchant();
    const stolen = await connectAccount({ ...test(theirs.secretKey), businessId: other.businessId });
    const { secrets } = await db.gatewayAccount.findUniqueOrThrow({ where: { id } });
    await db.gatewayAccount.update({ where: { id: stolen.id }, data: { secrets } });
    await expect(stored(stolen.id)).rejects.toThrow("cannot be decrypted");
  });
});
