import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { assertFits, bankVerdict, cardError, fail, settle } from "./charging";
import { readMetadata } from "./customers";
import { badParameter, badState } from "./errors";
import { checkAmount, readCurrency } from "./money";

export function newIntent(book: Book, fields: Partial<Stripe.PaymentIntent>): Stripe.PaymentIntent {
  const id = `pi_${token(24)}`;
  const intent: Stripe.PaymentIntent = {
    ...template("payment_intent"),
    id,
    client_secret: `${id}_secret_${token(25)}`,
    created: book.now(),
    ...fields,
  };
  book.intents.set(id, intent);
  book.emit("payment_intent.created", intent);
  return intent;
}

/** POST /v1/payment_intents. */
export function createIntent(book: Book, params: Stripe.PaymentIntentCreateParams): Stripe.PaymentIntent {
  const currency = readCurrency(params.currency);
  checkAmount(params.amount, currency);
  const { allowed_payment_method_types: allowed, automatic_payment_methods: automatic, confirm } = params;
  if (allowed && automatic) {
    const message = "Give only one of allowed_payment_method_types and automatic_payment_methods.";
    throw badParameter(message, "allowed_payment_method_types", "parameters_exclusive");
  }
  if (params.off_session !== undefined && !confirm) {
    throw badParameter("off_session can only be given with confirm=true.", "off_session");
  }
  refuseErrorOnAction(params);
  assertFits(book, params.statement_descriptor_suffix, "statement_descriptor_suffix");
  const redirects = !allowed && automatic?.allow_redirects !== "never";
  if (confirm && !params.off_session && redirects) {
    throw badParameter("Payment methods that redirect are on, so a return_url is needed.", "return_url");
  }
  if (params.customer) find(book.customers, "customer", params.customer, "customer");
  const customer = params.customer ?? null;
  if (params.payment_method) ownMethod(book, params.payment_method, customer);
  if (confirm && !params.payment_method) throw noMethod();
  const intent = newIntent(book, {
    amount: params.amount,
    currency,
    customer,
    description: params.description ?? null,
    metadata: readMetadata(params.metadata),
    capture_method: params.capture_method ?? "automatic_async",
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    allowed_payment_method_types: allowed ?? null,
    automatic_payment_methods: allowed ? null : { enabled: true, allow_redirects: redirects ? "always" : "never" },
    payment_method: params.payment_method ?? null,
    status: params.payment_method ? "requires_confirmation" : "requires_payment_method",
  });
  if (confirm) confirmWith(book, intent, params);
  return intent;
}

/** POST /v1/payment_intents/:id/confirm. */
export function confirmIntent(book: Book, id: string, params: Stripe.PaymentIntentConfirmParams): Stripe.PaymentIntent {
  const intent = find(book.intents, "payment_intent", id);
  refuseErrorOnAction(params);
  refuseSessions(book, intent);
  if (!["requires_payment_method", "requires_confirmation", "requires_action"].includes(intent.status)) {
    throw unexpected(intent, `A PaymentIntent that is ${intent.status} cannot be confirmed.`);
  }
  if (params.payment_method) {
    ownMethod(book, params.payment_method, idOf(intent.customer));
    intent.payment_method = params.payment_method;
  }
  if (!intent.payment_method) throw noMethod();
  confirmWith(book, intent, params);
  return intent;
}

/** POST /v1/payment_intents/:id/cancel. */
export function cancelIntent(book: Book, id: string, params: Stripe.PaymentIntentCancelParams): Stripe.PaymentIntent {
  const intent = find(book.intents, "payment_intent", id);
  refuseSessions(book, intent);
  if (["succeeded", "canceled"].includes(intent.status)) {
    throw unexpected(intent, `A PaymentIntent that is ${intent.status} cannot be canceled.`);
  }
  abandon(book, intent, params.cancellation_reason ?? null);
  return intent;
}

/** Cancels an intent. */
export function abandon(
  book: Book,
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent["cancellation_reason"],
): void {
  Object.assign(intent, {
    status: "canceled",
    canceled_at: book.now(),
    cancellation_reason: reason,
    next_action: null,
  });
  book.emit("payment_intent.canceled", intent);
}

/** It belongs to `payment_method_types`, which this API version no longer has. */
function refuseErrorOnAction({ error_on_requires_action: given }: { error_on_requires_action?: boolean }): void {
  if (given === undefined) return;
  throw badParameter("error_on_requires_action needs payment_method_types.", "error_on_requires_action");
}

function confirmWith(book: Book, intent: Stripe.PaymentIntent, how: { off_session?: unknown }): void {
  const method = find(book.methods, "PaymentMethod", idOf(intent.payment_method) ?? "", "payment_method");
  const verdict = bankVerdict(book, method, { present: !how.off_session });
  if (verdict === "succeed") {
    settle(book, intent, method);
    return;
  }
  if (verdict !== "challenge") {
    fail(book, intent, method, verdict);
    throw cardError(intent, verdict);
  }
  intent.status = "requires_action";
  intent.next_action = { type: "use_stripe_sdk", use_stripe_sdk: {} };
  book.emit("payment_intent.requires_action", intent);
}

/** Refuses a saved card of another customer, and a detached card. */
function ownMethod(book: Book, id: string, customer: string | null): void {
  const method = find(book.methods, "PaymentMethod", id, "payment_method");
  const owner = idOf(method.customer);
  if (owner && owner === customer) return;
  const message = owner
    ? `The payment method ${id} belongs to another customer than the one given.`
    : `The payment method ${id} was used before without a customer, or was detached, and cannot be used again.`;
  throw badParameter(message, "payment_method");
}

/** Refuses an intent of a session: only the session changes it. */
function refuseSessions(book: Book, intent: Stripe.PaymentIntent): void {
  if ([...book.sessions.values()].some((session) => session.payment_intent === intent.id)) {
    throw badState("This PaymentIntent was made by a Checkout Session: expire the session instead.");
  }
}

const noMethod = () =>
  badParameter(
    "A PaymentIntent without a payment method cannot be confirmed.",
    undefined,
    "payment_intent_unexpected_state",
  );

const unexpected = (intent: Stripe.PaymentIntent, message: string) =>
  badState(message, { code: "payment_intent_unexpected_state", payment_intent: structuredClone(intent) });
