import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";

let fake: StripeFake;
let account: { id: string; secretKey: string };
let stripe: Stripe;

/** A client as the driver makes it, but without retries of its own. */
const client = (apiKey: string, over: object = {}) => fake.client(apiKey, { maxNetworkRetries: 0, ...over });

beforeAll(async () => {
  fake = await startStripeFake();
});
afterAll(() => fake.close());

beforeAll(() => {
  account = fake.account();
  stripe = client(account.secretKey);
});

const price = { currency: "eur", unit_amount: 1050, product_data: { name: "Order 1001" } };

const paymentSession = (over: Stripe.Checkout.SessionCreateParams = {}, by = stripe) =>
  by.checkout.sessions.create({
    mode: "payment",
    success_url: "https://desk.example/done?session={CHECKOUT_SESSION_ID}",
    cancel_url: "https://desk.example/back",
    line_items: [{ price_data: price, quantity: 2 }],
    payment_intent_data: { metadata: { payment: "p1" } },
    ...over,
  });

/** A customer's saved card, by way of a setup session. */
async function savedCard(number: string): Promise<{ customer: string; payment_method: string }> {
  const { id: customer } = await stripe.customers.create({ email: "ada@example.com" });
  const created = await stripe.checkout.sessions.create({
    mode: "setup",
    currency: "eur",
    customer,
    success_url: "https://desk.example/done",
  });
  if (fake.payer.complete(created.id, { number }).status === "challenge") fake.payer.approve(created.id);
  const session = await stripe.checkout.sessions.retrieve(created.id, { expand: ["setup_intent.payment_method"] });
  const setup = session.setup_intent as Stripe.SetupIntent;
  return { customer, payment_method: (setup.payment_method as Stripe.PaymentMethod).id };
}

const offSession = (card: { customer: string; payment_method: string }) =>
  stripe.paymentIntents.create({ ...card, amount: 1050, currency: "eur", off_session: true, confirm: true });

/** What a call that must fail failed with. */
const failure = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> =>
  call.then(
    () => expect.fail("this should have failed"),
    (error: Stripe.errors.StripeError) => error,
  );

describe("payment sessions", () => {
  it("takes a payment", async () => {
    const created = await paymentSession();
    expect(created).toMatchObject({
      status: "open",
      payment_status: "unpaid",
      payment_intent: null,
      amount_total: 2100,
    });
    expect(created.url).toBe(`${fake.url}/c/pay/${created.id}`);
    expect(fake.payer.complete(created.id, { number: "4242 4242 4242 4242" })).toEqual({
      status: "complete",
      url: `https://desk.example/done?session=${created.id}`,
    });
    const expand = ["payment_intent.latest_charge.balance_transaction"];
    const session = await stripe.checkout.sessions.retrieve(created.id, { expand });
    expect(session).toMatchObject({
      status: "complete",
      payment_status: "paid",
      url: null,
      payment_intent: {
        status: "succeeded",
        amount_received: 2100,
        metadata: { payment: "p1" },
        latest_charge: {
          paid: true,
          payment_method_details: { card: { brand: "visa", last4: "4242" } },
          balance_transaction: { amount: 2100, fee: 91, net: 2009, currency: "eur" },
        },
      },
    });
    expect(fake.payer.complete(created.id, { number: "4242424242424242" })).toEqual({ status: "closed" });
    const found = await stripe.checkout.sessions.list({
      payment_intent: (session.payment_intent as { id: string }).id,
    });
    expect(found.data.map(({ id }) => id)).toEqual([created.id]);
  });

  it("stays open after a decline and can then be paid", async () => {
    const { id } = await paymentSession();
    expect(fake.payer.complete(id, { number: "4000000000009995" })).toMatchObject({
      status: "declined",
      error: { code: "card_declined", decline_code: "insufficient_funds" },
    });
    const declined = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    expect(declined).toMatchObject({
      status: "open",
      payment_status: "unpaid",
      payment_intent: { status: "requires_payment_method", last_payment_error: { decline_code: "insufficient_funds" } },
    });
    fake.payer.complete(id, { number: "4242424242424242" });
    const paid = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    expect(paid.payment_intent).toMatchObject({ status: "succeeded", last_payment_error: null });
    expect((paid.payment_intent as { id: string }).id).toBe((declined.payment_intent as { id: string }).id);
  });

  it("asks the bank if the card requires it", async () => {
    const { id } = await paymentSession();
    expect(fake.payer.complete(id, { number: "4000002500003155" })).toEqual({ status: "challenge" });
    expect(fake.payer.reject(id)).toMatchObject({ status: "declined" });
    fake.payer.complete(id, { number: "4000002500003155" });
    expect(fake.payer.approve(id)).toMatchObject({ status: "complete" });
  });

  it("cancels a payment that waits at the bank when the session expires", async () => {
    const { id } = await paymentSession();
    fake.payer.complete(id, { number: "4000002760003184" });
    const waiting = await stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent"] });
    expect(waiting.payment_intent).toMatchObject({ status: "requires_action" });
    const intent = (waiting.payment_intent as { id: string }).id;
    expect((await failure(stripe.paymentIntents.cancel(intent))).statusCode).toBe(400);
    await stripe.checkout.sessions.expire(id);
    expect((await stripe.paymentIntents.retrieve(intent)).status).toBe("canceled");
    expect(fake.payer.approve(id)).toEqual({ status: "closed" });
  });

  it("serves the page that a payer fills in", async () => {
    const { url } = await paymentSession();
    const shown = await (await fetch(String(url))).text();
    for (const part of ["Order 1001", "€21.00", "Card number", ">Pay<", ">Back<"]) expect(shown).toContain(part);
    const form = { number: "4000 0000 0000 0002", expiry: "12 / 40", cvc: "123", name: "Ada" };
    const post = (to: string, body: Record<string, string>) =>
      fetch(to, { method: "POST", body: new URLSearchParams(body), redirect: "manual" });
    expect(await (await post(String(url), form)).text()).toContain("Your card was declined.");
    const asked = await post(String(url), { ...form, number: "4000002760003184" });
    const bank = `${fake.url}${asked.headers.get("location")}`;
    expect(await (await fetch(bank)).text()).toContain(">Complete<");
    const done = await post(bank, { answer: "complete" });
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      expect.stringContaining("https://desk.example/done?session=cs_test_"),
    ]);
    expect(await (await fetch(String(url))).text()).toContain("completed already");
  });

  it("expires on request and by itself", async () => {
    const one = await paymentSession();
    const other = await paymentSession({ expires_at: Math.floor(Date.now() / 1000) + 1900 });
    expect((await stripe.checkout.sessions.expire(one.id)).status).toBe("expired");
    expect((await failure(stripe.checkout.sessions.expire(one.id))).statusCode).toBe(400);
    expect(fake.payer.complete(one.id, { number: "4242424242424242" })).toEqual({ status: "closed" });
    fake.advance(1_900_000);
    expect((await stripe.checkout.sessions.retrieve(other.id)).status).toBe("expired");
    const events = await stripe.events.list({ type: "checkout.session.expired", limit: 2 });
    const expired = events.data.map((event) => (event.data.object as Stripe.Checkout.Session).id);
    expect(expired).toEqual([other.id, one.id]);
    const soon = await failure(paymentSession({ expires_at: Math.floor(Date.now() / 1000) + 1900 }));
    expect(soon).toMatchObject({ statusCode: 400, param: "expires_at" });
  });
});

describe("saved cards", () => {
  it("charges one off session", async () => {
    const card = await savedCard("5555555555554444");
    expect(await stripe.paymentMethods.retrieve(card.payment_method)).toMatchObject({
      customer: card.customer,
      card: { brand: "mastercard", last4: "4444" },
    });
    expect(await offSession(card)).toMatchObject({ status: "succeeded", latest_charge: expect.stringMatching(/^ch_/) });
    const stranger = await stripe.customers.create({});
    expect((await failure(offSession({ ...card, customer: stranger.id }))).param).toBe("payment_method");
    await stripe.paymentMethods.detach(card.payment_method);
    expect((await failure(offSession(card))).statusCode).toBe(400);
  });

  it.each([
    ["4000000000000341", "card_declined", "generic_decline"],
    ["4000002760003184", "authentication_required", "authentication_required"],
  ])("declines %s when it is charged", async (number, code, decline_code) => {
    const error = await failure(offSession(await savedCard(number)));
    expect(error).toMatchObject({ type: "StripeCardError", statusCode: 402, code, decline_code });
    expect(error.payment_intent).toMatchObject({ status: "requires_payment_method", last_payment_error: { code } });
  });

  it("charges a card that its customer confirmed once", async () => {
    expect((await offSession(await savedCard("4000002500003155"))).status).toBe("succeeded");
  });

  it("does not save a card that is declined immediately", async () => {
    const params = { mode: "setup", currency: "eur", customer_creation: "always" } as const;
    const { id } = await stripe.checkout.sessions.create({ ...params, success_url: "https://desk.example/done" });
    expect(fake.payer.complete(id, { number: "4000000000000069" })).toMatchObject({ error: { code: "expired_card" } });
    expect(fake.payer.complete(id, { number: "4242424242424242" })).toMatchObject({ status: "complete" });
    expect((await stripe.checkout.sessions.retrieve(id)).customer).toMatch(/^cus_/);
  });
});

describe("intents", () => {
  it("waits for a card, is canceled, and stays canceled", async () => {
    const intent = await stripe.paymentIntents.create({ amount: 1000, currency: "kwd" });
    expect(intent.status).toBe("requires_payment_method");
    expect((await stripe.paymentIntents.cancel(intent.id)).status).toBe("canceled");
    expect((await failure(stripe.paymentIntents.confirm(intent.id))).code).toBe("payment_intent_unexpected_state");
  });

  it.each([
    [{ amount: 49, currency: "eur" }, "amount_too_small"],
    [{ amount: 0, currency: "jpy" }, "parameter_invalid_integer"],
    [{ amount: 10.5, currency: "eur" }, "parameter_invalid_integer"],
    [{ amount: 1001, currency: "kwd" }, undefined],
    [{ amount: 1000, currency: "zzz" }, undefined],
  ])("refuses %o", async (params, code) => {
    expect(await failure(stripe.paymentIntents.create(params))).toMatchObject({ statusCode: 400, code });
  });
});

it("can leave fees open until they arrive", async () => {
  const late = await startStripeFake({ lateFees: true });
  const by = late.client(late.account().secretKey);
  const { id } = await paymentSession({}, by);
  late.payer.complete(id, { number: "4242424242424242" });
  const fee = async () => {
    const expand = ["payment_intent.latest_charge.balance_transaction"];
    const intent = (await by.checkout.sessions.retrieve(id, { expand })).payment_intent as Stripe.PaymentIntent;
    return (intent.latest_charge as Stripe.Charge).balance_transaction;
  };
  expect(await fee()).toBeNull();
  late.settleFees();
  expect(await fee()).toMatchObject({ fee: 91 });
  await late.close();
});

describe("refunds", () => {
  const paid = async (number = "4242424242424242") => (await offSession(await savedCard(number))).id;

  it("never refunds more than was paid, even for simultaneous requests", async () => {
    const payment_intent = await paid();
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => stripe.refunds.create({ payment_intent, amount: 200 })),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(fake.charges(account.id).find((charge) => charge.paymentIntent === payment_intent)?.refunded).toBe(1000);
    await stripe.refunds.create({ payment_intent, reason: "requested_by_customer" });
    expect((await failure(stripe.refunds.create({ payment_intent }))).code).toBe("charge_already_refunded");
    const first = await stripe.refunds.list({ payment_intent, limit: 4 });
    const rest = await stripe.refunds.list({ payment_intent, starting_after: first.data.at(-1)?.id });
    expect([first.has_more, rest.has_more, rest.data.length]).toEqual([true, false, 2]);
  });

  it("settles late for some cards", async () => {
    const pending = await stripe.refunds.create({ payment_intent: await paid("4000000000007726") });
    const doomed = await stripe.refunds.create({ payment_intent: await paid("4000000000005126") });
    expect([pending.status, doomed.status]).toEqual(["pending", "succeeded"]);
    fake.settleRefunds();
    expect((await stripe.refunds.retrieve(pending.id)).status).toBe("succeeded");
    const failed = await stripe.refunds.retrieve(doomed.id, { expand: ["charge"] });
    expect(failed).toMatchObject({
      status: "failed",
      failure_reason: "expired_or_canceled_card",
      charge: { amount_refunded: 0, refunded: false },
    });
    expect((await stripe.events.list({ type: "refund.failed" })).data).toHaveLength(1);
  });
});

describe("idempotency", () => {
  it("replays a response, and refuses the key for another request", async () => {
    const options = { idempotencyKey: "k-replay" };
    const first = await paymentSession();
    const one = await stripe.customers.create({ name: "Ada" }, options);
    const again = await stripe.customers.create({ name: "Ada" }, options);
    expect(again.id).toBe(one.id);
    expect(again.lastResponse.headers["idempotent-replayed"]).toBe("true");
    const changed = await failure(stripe.customers.create({ name: "Eve" }, options));
    expect(changed.type).toBe("StripeIdempotencyError");
    const elsewhere = await failure(stripe.checkout.sessions.expire(first.id, {}, options));
    expect(elsewhere.type).toBe("StripeIdempotencyError");
    fake.advance(25 * 3_600_000);
    expect((await stripe.customers.create({ name: "Ada" }, options)).id).not.toBe(one.id);
  });

  it("replays a decline, but not a refusal of parameters", async () => {
    const card = await savedCard("4000000000000341");
    const options = { idempotencyKey: "k-decline" };
    const params = { ...card, amount: 1050, currency: "eur", off_session: true, confirm: true };
    const first = await failure(stripe.paymentIntents.create(params, options));
    const again = await failure(stripe.paymentIntents.create(params, options));
    expect(again.payment_intent?.id).toBe(first.payment_intent?.id);
    const tooSmall = { ...params, amount: 1 };
    await failure(stripe.paymentIntents.create(tooSmall, { idempotencyKey: "k-params" }));
    expect((await failure(stripe.paymentIntents.create(params, { idempotencyKey: "k-params" }))).statusCode).toBe(402);
  });

  it("replays a failure that it has stored, until it forgets the key", async () => {
    const options = { idempotencyKey: "k-failed" };
    const create = () => stripe.customers.create({ name: "Failed" }, options);
    fake.fault({ kind: "error_500_stored", path: /customers$/ });
    const first = await failure(create());
    const again = await failure(create());
    expect([first.statusCode, first.headers?.["idempotent-replayed"]]).toEqual([500, undefined]);
    expect([again.statusCode, again.headers?.["idempotent-replayed"]]).toEqual([500, "true"]);
    fake.advance(25 * 3_600_000);
    expect((await create()).name).toBe("Failed");
    const created = (await stripe.customers.list({ limit: 100 })).data.filter(({ name }) => name === "Failed");
    expect(created).toHaveLength(1);
    fake.fault({ kind: "error_500", path: /customers$/ });
    await failure(stripe.customers.create({}, { idempotencyKey: "k-not-stored" }));
    expect((await stripe.customers.create({}, { idempotencyKey: "k-not-stored" })).id).toMatch(/^cus_/);
  });

  it("returns 409 while the first request is in progress", async () => {
    fake.fault({ kind: "slow", path: /customers/, ms: 150 });
    const options = { idempotencyKey: "k-both" };
    const slow = stripe.customers.create({ name: "Both" }, options);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await failure(stripe.customers.create({ name: "Both" }, options));
    expect(second).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
    expect((await stripe.customers.create({ name: "Both" }, options).catch(() => slow)).id).toBe((await slow).id);
  });
});

describe("failures", () => {
  it("charges once when the response is lost and the client retries", async () => {
    const before = fake.charges(account.id).length;
    const card = await savedCard("4242424242424242");
    fake.fault({ kind: "lost_reply", method: "POST", path: /payment_intents$/, times: 1 });
    expect((await offSession(card)).status).toBe("succeeded");
    expect(fake.charges(account.id)).toHaveLength(before + 1);
    const [first, second] = fake.requests.slice(-2);
    expect(first?.idempotencyKey).toBe(second?.idempotencyKey);
  });

  it("loses requests, fails and limits as configured", async () => {
    const before = fake.charges(account.id).length;
    const card = await savedCard("4242424242424242");
    const lift = fake.fault({ kind: "lost_request", method: "POST", path: /payment_intents$/, times: 5 });
    expect((await failure(offSession(card))).type).toBe("StripeConnectionError");
    lift();
    fake.fault({ kind: "error_500", path: /payment_intents$/ });
    expect((await failure(offSession(card))).type).toBe("StripeAPIError");
    fake.fault({ kind: "rate_limited", path: /payment_intents$/ });
    expect(await failure(offSession(card))).toMatchObject({ type: "StripeRateLimitError", code: "rate_limit" });
    fake.fault({ kind: "lock_timeout", path: /payment_intents$/ });
    expect(await failure(offSession(card))).toMatchObject({ type: "StripeRateLimitError", code: "lock_timeout" });
    expect(fake.charges(account.id)).toHaveLength(before);
  });

  it("refuses parameters that the API or the fake does not know", async () => {
    const raw = (params: object) => failure(paymentSession(params as Stripe.Checkout.SessionCreateParams));
    expect(await raw({ colour: "red" })).toMatchObject({ code: "parameter_unknown", param: "colour" });
    const nested = [{ price_data: { ...price, product_data: { name: "x", size: "l" } }, quantity: 1 }];
    expect(await raw({ line_items: nested })).toMatchObject({
      code: "parameter_unknown",
      param: "line_items[0][price_data][product_data][size]",
    });
    expect(await raw({ payment_method_types: ["card"] })).toMatchObject({
      code: "payment_method_types_no_longer_supported",
    });
    expect(await raw({ expires_at: "soon" })).toMatchObject({ code: "parameter_invalid_integer", param: "expires_at" });
    expect(await raw({ phone_number_collection: { enabled: true } })).toMatchObject({
      statusCode: 501,
      message: "the fake does not implement parameter phone_number_collection",
    });
  });

  it("expands expandable fields, and ignores others", async () => {
    const before = fake.charges(account.id).length;
    const card = await savedCard("4242424242424242");
    const params = { ...card, amount: 1050, currency: "eur", off_session: true, confirm: true };
    const expand = ["latest_charge.balance_transaction", "customer", "payment_method"];
    expect(await stripe.paymentIntents.create({ ...params, expand })).toMatchObject({
      latest_charge: { balance_transaction: { fee: 60, net: 990 } },
      customer: { object: "customer", email: "ada@example.com" },
      payment_method: { card: { last4: "4242" } },
    });
    const listed = await stripe.paymentIntents.list({ customer: card.customer, expand: ["data.latest_charge"] });
    expect(listed.data).toMatchObject([{ latest_charge: { object: "charge" } }]);
    const wrong = await failure(stripe.paymentIntents.create({ ...params, expand: ["latest_charge.dispute"] }));
    expect(wrong).toMatchObject({ statusCode: 400, param: "expand[0]" });
    expect(fake.charges(account.id)).toHaveLength(before + 1);
  });

  it("separates accounts, and refuses unknown keys and other API versions", async () => {
    const { id } = await paymentSession();
    const other = client(fake.account().secretKey);
    expect(await failure(other.checkout.sessions.retrieve(id))).toMatchObject({
      statusCode: 404,
      code: "resource_missing",
    });
    expect((await other.checkout.sessions.list()).data).toEqual([]);
    expect((await failure(client("sk_test_nobody").accounts.retrieveCurrent())).type).toBe("StripeAuthenticationError");
    expect((await stripe.accounts.retrieveCurrent()).id).toBe(account.id);
    const old = await failure(stripe.accounts.retrieveCurrent({}, { apiVersion: "2024-04-10" }));
    expect(old.statusCode).toBe(400);
  });
});

describe("callbacks", () => {
  it("signs, retries, repeats and shuffles", async () => {
    const own = fake.account();
    const by = client(own.secretKey);
    const got: Stripe.Event[] = [];
    let refuse = 1;
    let secret = "";
    const server = createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on("data", (chunk: Buffer) => chunks.push(chunk));
      req.on("end", () => {
        const body = Buffer.concat(chunks);
        if (refuse-- > 0) return res.writeHead(500).end();
        got.push(by.webhooks.constructEvent(body, String(req.headers["stripe-signature"]), secret));
        return res.writeHead(200).end();
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const enabled_events = ["checkout.session.completed", "payment_intent.succeeded", "charge.succeeded"] as const;
    const endpoint = await by.webhookEndpoints.create({ url, enabled_events: [...enabled_events] });
    secret = endpoint.secret ?? "";
    expect((await by.webhookEndpoints.list()).data).toMatchObject([{ id: endpoint.id, url }]);
    expect((await by.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();

    const first = await paymentSession({}, by);
    fake.payer.complete(first.id, { number: "4242424242424242" });
    await fake.callbacks.waitIdle();
    expect(got.map(({ type }) => type).sort()).toEqual([...enabled_events].sort());
    expect(got.find(({ type }) => type === "checkout.session.completed")?.data.object).toMatchObject({ id: first.id });

    got.length = 0;
    fake.callbacks.paused = true;
    fake.payer.complete((await paymentSession({}, by)).id, { number: "4242424242424242" });
    expect([fake.callbacks.pending(), got.length]).toEqual([3, 0]);
    await fake.callbacks.deliver({ shuffle: 7, copies: 2 });
    expect(new Set(got.map(({ id }) => id)).size).toBe(3);
    expect(got).toHaveLength(6);
    fake.callbacks.paused = false;

    await by.webhookEndpoints.update(endpoint.id, { disabled: true });
    await paymentSession({}, by);
    await by.webhookEndpoints.del(endpoint.id);
    expect(fake.callbacks.pending()).toBe(0);
    server.close();
  });
});
