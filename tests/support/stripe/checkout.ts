import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { type Decline, testCard } from "./cards";
import { bankVerdict, fail, failAuthentication, settle } from "./charging";
import { createCustomer, readMetadata } from "./customers";
import { newIntent } from "./intents";
import { attachMethod, type CardForm, cardOf, createMethod } from "./methods";
import { details } from "./sessions";

/** The hosted page's response: a redirect, an error, or a 3-D Secure challenge. */
export type Outcome =
  | { status: "complete"; url: string }
  | { status: "declined"; error: Decline }
  | { status: "challenge" }
  | { status: "closed" };

export function submitCard(book: Book, session: Stripe.Checkout.Session, form: CardForm): Outcome {
  if (session.status !== "open") return { status: "closed" };
  const card = testCard(form.number);
  if (!card) return refused("incorrect_number", "Your card number is incorrect.");
  const method = createMethod(book, card, form);
  planOf(book, session).challenged = null; // a new card replaces the challenge
  if (session.mode === "setup") return trySetup(book, session, method, { present: true });
  return tryPayment(book, session, method, { present: true });
}

/** Answers the 3-D Secure challenge. Only the first answer counts. */
export function answerBank(book: Book, session: Stripe.Checkout.Session, approved: boolean): Outcome {
  const plan = planOf(book, session);
  if (session.status !== "open" || plan.challenged === null) return { status: "closed" };
  const method = find(book.methods, "PaymentMethod", plan.challenged);
  plan.challenged = null;
  const how = { present: true, authenticated: true };
  if (session.mode === "setup") {
    if (!approved) return failSetup(book, session, unconfirmed("setup_intent_authentication_failure"));
    return trySetup(book, session, method, how);
  }
  if (approved) return tryPayment(book, session, method, how);
  const intent = find(book.intents, "payment_intent", idOf(session.payment_intent) ?? "");
  return { status: "declined", error: failAuthentication(book, intent, method) };
}

type Presence = { present: boolean; authenticated?: boolean };

function tryPayment(
  book: Book,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  how: Presence,
): Outcome {
  const { intentData } = planOf(book, session);
  const intent = book.intents.get(idOf(session.payment_intent) ?? "") ?? firstIntent(book, session);
  session.payment_intent = intent.id;
  const verdict = bankVerdict(book, method, how);
  if (verdict === "challenge") {
    intent.payment_method = method.id;
    intent.status = "requires_action";
    intent.next_action = challenge(book, session, method);
    book.emit("payment_intent.requires_action", intent);
    return { status: "challenge" };
  }
  if (verdict !== "succeed") {
    fail(book, intent, method, verdict);
    return { status: "declined", error: verdict };
  }
  const keep = intentData.setup_future_usage !== undefined;
  const customer = customerOf(book, session, method, keep);
  intent.customer = customer;
  if (customer && keep) {
    attachMethod(book, method, customer);
    if (how.authenticated) cardOf(book, method).confirmed = true;
  }
  settle(book, intent, method);
  session.payment_status = "paid";
  return complete(book, session, method);
}

function trySetup(book: Book, session: Stripe.Checkout.Session, method: Stripe.PaymentMethod, how: Presence): Outcome {
  const { card } = cardOf(book, method);
  const setup = setupOf(book, session);
  if (card.decline) return failSetup(book, session, card.decline);
  if (card.asks && !how.authenticated) {
    setup.status = "requires_action";
    setup.payment_method = method.id;
    setup.next_action = challenge(book, session, method);
    book.emit("setup_intent.requires_action", setup);
    return { status: "challenge" };
  }
  const customer = customerOf(book, session, method, true);
  if (!customer) throw new Error("A setup session has a customer.");
  attachMethod(book, method, customer);
  if (how.authenticated) cardOf(book, method).confirmed = true;
  Object.assign(setup, { status: "succeeded", payment_method: method.id, customer, next_action: null });
  setup.last_setup_error = null;
  book.emit("setup_intent.succeeded", setup);
  return complete(book, session, method);
}

function failSetup(book: Book, session: Stripe.Checkout.Session, error: Decline): Outcome {
  const setup = setupOf(book, session);
  Object.assign(setup, { status: "requires_payment_method", payment_method: null, next_action: null });
  setup.last_setup_error = { type: "card_error", ...error };
  book.emit("setup_intent.setup_failed", setup);
  return { status: "declined", error };
}

function complete(book: Book, session: Stripe.Checkout.Session, method: Stripe.PaymentMethod): Outcome {
  const to = session.success_url ?? "";
  session.status = "complete";
  session.url = null;
  session.customer_details = details(
    session.customer_details?.email ?? null,
    method.billing_details.name ?? session.customer_details?.name ?? null,
  );
  book.emit("checkout.session.completed", session);
  return { status: "complete", url: to.replaceAll("{CHECKOUT_SESSION_ID}", session.id) };
}

/** The session's customer. Creates it if the session requires one or saves a card. */
function customerOf(
  book: Book,
  session: Stripe.Checkout.Session,
  method: Stripe.PaymentMethod,
  keep: boolean,
): string | null {
  if (!session.customer && (keep || session.customer_creation === "always")) {
    const email = session.customer_email ?? undefined;
    session.customer = createCustomer(book, { email, name: method.billing_details.name ?? undefined }).id;
  }
  return idOf(session.customer);
}

function firstIntent(book: Book, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const { intentData } = planOf(book, session);
  return newIntent(book, {
    amount: session.amount_total ?? 0,
    currency: session.currency ?? "",
    customer: idOf(session.customer),
    description: intentData.description ?? null,
    metadata: readMetadata(intentData.metadata),
    capture_method: intentData.capture_method ?? "automatic_async",
    setup_future_usage: intentData.setup_future_usage ?? null,
    statement_descriptor_suffix: intentData.statement_descriptor_suffix ?? null,
  });
}

function setupOf(book: Book, session: Stripe.Checkout.Session): Stripe.SetupIntent {
  const existing = book.setups.get(idOf(session.setup_intent) ?? "");
  if (existing) return existing;
  const { setupData } = planOf(book, session);
  const id = `seti_${token(24)}`;
  const setup: Stripe.SetupIntent = {
    ...template("setup_intent"),
    id,
    client_secret: `${id}_secret_${token(25)}`,
    created: book.now(),
    customer: idOf(session.customer),
    description: setupData.description ?? null,
    metadata: readMetadata(setupData.metadata),
    usage: "off_session",
  };
  book.setups.set(id, setup);
  session.setup_intent = id;
  book.emit("setup_intent.created", setup);
  return setup;
}

/** Stores the card and starts a 3-D Secure challenge. */
function challenge(book: Book, session: Stripe.Checkout.Session, method: Stripe.PaymentMethod) {
  planOf(book, session).challenged = method.id;
  const here = `${book.url}/c/pay/${session.id}`;
  return { type: "redirect_to_url", redirect_to_url: { url: `${here}/bank`, return_url: here } };
}

function planOf(book: Book, session: Stripe.Checkout.Session) {
  return find(book.plans, "checkout.session", session.id);
}

const refused = (code: string, message: string): Outcome => ({
  status: "declined",
  error: { code, decline_code: code, message },
});

const unconfirmed = (code: string): Decline => ({
  code,
  decline_code: "",
  message: "The payment method could not be authenticated. Try another one.",
});
