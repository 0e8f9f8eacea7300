import type Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StripeFake, startStripeFake } from "@/tests/support/stripe/fake";

let fake: StripeFake;
let stripe: Stripe;
let live: Stripe;
let customer: string;
const card = { payment_method: "" };

beforeAll(async () => {
  fake = await startStripeFake();
  const client = (mode?: "live") => fake.client(fake.account(mode).secretKey);
  stripe = client();
  live = client("live");
  ({ id: customer } = await stripe.customers.create({ email: "ada@example.com" }));
  const saving = { mode: "setup", currency: "eur", customer, success_url: "https://desk.example" } as const;
  const { id } = await stripe.checkout.sessions.create(saving);
  fake.payer.complete(id, { number: "4242424242424242" });
  const { setup_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ["setup_intent"] });
  card.payment_method = String((setup_intent as Stripe.SetupIntent).payment_method);
});
afterAll(() => fake.close());

/** The error of a request that the fake must refuse. */
const refusal = async (call: Promise<unknown>): Promise<{ code?: string; param?: string }> =>
  call.then(
    () => expect.fail("this should have been refused"),
    (error: Stripe.errors.StripeError) => {
      expect(error).toMatchObject({ type: "StripeInvalidRequestError", statusCode: 400 });
      return { code: error.code, param: error.param };
    },
  );

type Session = Stripe.Checkout.SessionCreateParams;
const price = { currency: "eur", unit_amount: 1050, product_data: { name: "Order 1001" } };
const session = (over: Session, by = stripe) => {
  const line_items = [{ price_data: price, quantity: 1 }];
  return by.checkout.sessions.create({ mode: "payment", success_url: "https://desk.example", line_items, ...over });
};
const setup = (over: Session) =>
  stripe.checkout.sessions.create({ mode: "setup", customer, success_url: "https://desk.example", ...over });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

type Case = [title: string, call: () => Promise<unknown>, expected: { code?: string; param?: string }];
const item = (currency: string, unit_amount: number) => ({
  line_items: [{ price_data: { ...price, currency, unit_amount }, quantity: 1 }],
});
const soon = Math.floor(Date.now() / 1000) + 60;
const refuses = ([, call, expected]: Case) => refusal(call()).then((error) => expect(error).toMatchObject(expected));

describe("a session is refused", () => {
  const cases: Case[] = [
    ["with customer and customer_email", () => session({ customer, customer_email: "a@b.c" }), { param: "customer" }],
    ["with customer and customer_creation", () => session({ customer, customer_creation: "always" }), {}],
    ["with setup_intent_data", () => session({ setup_intent_data: { description: "x" } }), {}],
    ["without line_items", () => session({ line_items: undefined }), { param: "line_items" }],
    ["without success_url", () => session({ success_url: undefined }), { param: "success_url" }],
    ["with a wrong address", () => session({ customer_email: "ada" }), { code: "email_invalid" }],
    ["with a path as an address", () => session({ success_url: "/done" }), { code: "url_invalid" }],
    ["with an early expiry", () => session({ expires_at: soon }), { param: "expires_at" }],
    ["with a late expiry", () => session({ expires_at: soon + 90_000 }), { param: "expires_at" }],
    ["with a long reference", () => session({ client_reference_id: "x".repeat(201) }), {}],
    ["with 51 keys", () => session({ metadata: keys(51) }), { param: "metadata" }],
    ["with a long key", () => session({ metadata: { ["k".repeat(41)]: "v" } }), { param: "metadata" }],
    ["with a long value", () => session({ metadata: { k: "v".repeat(501) } }), { param: "metadata[k]" }],
    ["in live mode, returning without TLS", () => session({ success_url: "http://desk.example" }, live), {}],
    ["in live mode, going back without TLS", () => session({ cancel_url: "http://desk.example" }, live), {}],
    ["below the least yen", () => session(item("jpy", 49)), { code: "amount_too_small" }],
    ["below the least forints", () => session(item("huf", 17_499)), { code: "amount_too_small" }],
    ["below the least kronor", () => session(item("sek", 299)), { code: "amount_too_small" }],
    [
      "to save a card, with submit_type",
      () => setup({ currency: "eur", submit_type: "pay" }),
      { param: "submit_type" },
    ],
    ["to save a card, with a payment", () => setup({ payment_intent_data: { description: "x" } }), {}],
    ["to save a card, without currency and types", () => setup({}), { param: "currency" }],
  ];
  it.each(cases)("%s", (...one) => refuses(one));

  it("but not one within the rules", async () => {
    expect((await session({ metadata: keys(50), ...item("jpy", 50) })).url).toBeTruthy();
    expect((await session({ cancel_url: "https://desk.example" }, live)).url).toBeTruthy();
  });
});

describe("an intent is refused", () => {
  const intent = (over: Partial<Stripe.PaymentIntentCreateParams>) =>
    stripe.paymentIntents.create({ amount: 1050, currency: "eur", ...over });
  const charge = (over: Partial<Stripe.PaymentIntentCreateParams>) =>
    intent({ customer, ...card, confirm: true, off_session: true, ...over });
  const suffix = (text: string) => charge({ statement_descriptor_suffix: text });
  const aboutSuffix = { param: "statement_descriptor_suffix" };
  const cases: Case[] = [
    ["off-session without confirm", () => charge({ confirm: undefined }), { param: "off_session" }],
    ["with error_on_requires_action", () => charge({ error_on_requires_action: true }), {}],
    [
      "with two ways to choose payment methods",
      () => charge({ allowed_payment_method_types: ["card"], automatic_payment_methods: { enabled: true } }),
      { code: "parameters_exclusive" },
    ],
    ["confirmed without a card", () => charge({ payment_method: undefined }), {}],
    ["with a customer's card, without the customer", () => charge({ customer: undefined }), {}],
    ["with a long description", () => charge({ description: "x".repeat(1001) }), { param: "description" }],
    ["below the least euros", () => charge({ amount: 49 }), { code: "amount_too_small" }],
    ["above eight digits", () => charge({ amount: 100_000_000 }), { code: "amount_too_large" }],
    ["with a suffix of 23 characters", () => suffix("x".repeat(23)), aboutSuffix],
    ["with a suffix that is too long behind the prefix", () => suffix("x".repeat(11)), aboutSuffix],
    ["with a suffix without a letter", () => suffix("2026-001"), aboutSuffix],
    ["with a suffix that is not Latin", () => suffix("x本屋"), aboutSuffix],
    ...[..."<>\\'\"*"].map((sign): Case => [`with ${sign} in its suffix`, () => suffix(`a${sign}b`), aboutSuffix]),
  ];
  it.each(cases)("%s", (...one) => refuses(one));

  it("but not one within the rules", async () => {
    const charged = await charge({ statement_descriptor_suffix: "BLUE BOTTL", allowed_payment_method_types: ["card"] });
    expect(charged.status).toBe("succeeded");
  });
});

describe("another request is refused", () => {
  const cases: Case[] = [
    ["a customer's wrong address", () => stripe.customers.create({ email: "ada" }), { code: "email_invalid" }],
    ["a customer's long name", () => stripe.customers.create({ name: "x".repeat(257) }), { param: "name" }],
    [
      "a page of a list with two cursors",
      () => stripe.customers.list({ starting_after: customer, ending_before: customer }),
      { code: "parameters_exclusive" },
    ],
    ["a page of more than a hundred", () => stripe.refunds.list({ limit: 101 }), { param: "limit" }],
    ["events by type and types", () => stripe.events.list({ type: "a.b", types: ["a.b"] }), { param: "types" }],
    [
      "a live endpoint without TLS",
      () => live.webhookEndpoints.create({ url: "http://desk.example", enabled_events: ["*"] }),
      { code: "url_invalid" },
    ],
    ["a refund of nothing in particular", () => stripe.refunds.create({ amount: 50 }), { code: "parameter_missing" }],
    [
      "a refund of a charge and an intent",
      () => stripe.refunds.create({ charge: "ch_1", payment_intent: "pi_1" }),
      { code: "parameters_exclusive" },
    ],
  ];
  it.each(cases)("%s", (...one) => refuses(one));
});

it("leaves a charge to the payer where the bank asks in spite of off_session", async () => {
  const saving = { currency: "eur", customer } as const;
  const { id } = await setup(saving);
  fake.payer.complete(id, { number: "4000000000003220" });
  fake.payer.approve(id);
  const { setup_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ["setup_intent"] });
  const payment_method = String((setup_intent as Stripe.SetupIntent).payment_method);
  const charge = { amount: 1050, currency: "eur", customer, payment_method, confirm: true, off_session: true };
  expect((await stripe.paymentIntents.create(charge)).status).toBe("requires_action");
});
