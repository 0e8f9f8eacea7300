import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { assertFits } from "./charging";
import { readMetadata } from "./customers";
import { badParameter, badState, unimplemented } from "./errors";
import { abandon } from "./intents";
import { checkAmount, readCurrency } from "./money";

type Create = Stripe.Checkout.SessionCreateParams;
type Items = { lines: Stripe.LineItem[]; currency: string; total: number };

const minute = 60;

/** POST /v1/checkout/sessions. */
export function createSession(book: Book, params: Create): Stripe.Checkout.Session {
  const { mode = "payment", customer } = params;
  const now = book.now();
  const expiresAt = params.expires_at ?? now + 24 * 60 * minute;
  if (expiresAt - now < 30 * minute) {
    throw badParameter("expires_at must be at least 30 minutes from now.", "expires_at");
  }
  if (expiresAt - now > 24 * 60 * minute) {
    throw badParameter("expires_at must be at most 24 hours from now.", "expires_at");
  }
  if (!params.success_url)
    throw badParameter("Missing required param: success_url.", "success_url", "parameter_missing");
  const person = customer ? find(book.customers, "customer", customer, "customer") : null;
  for (const name of ["success_url", "cancel_url"] as const) {
    if (book.livemode && params[name]?.startsWith("http:")) {
      throw badParameter("Livemode requests must always be redirected via HTTPS.");
    }
  }
  const suffix = params.payment_intent_data?.statement_descriptor_suffix;
  assertFits(book, suffix, "payment_intent_data[statement_descriptor_suffix]");
  if (customer && params.customer_email) throw exclusive("customer", "customer_email");
  if (customer && params.customer_creation) throw exclusive("customer", "customer_creation");
  const items = mode === "setup" ? checkSetup(params) : readItems(params);
  const id = `cs_test_${token(58)}`;
  const email = person?.email ?? params.customer_email ?? null;
  const session: Stripe.Checkout.Session = {
    ...template("checkout.session"),
    id,
    created: now,
    expires_at: expiresAt,
    mode,
    status: "open",
    payment_status: mode === "setup" ? "no_payment_required" : "unpaid",
    amount_subtotal: items?.total ?? null,
    amount_total: items?.total ?? null,
    currency: items?.currency ?? params.currency ?? null,
    success_url: params.success_url,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    customer: customer ?? null,
    customer_creation: customer ? null : (params.customer_creation ?? "if_required"),
    customer_email: params.customer_email ?? null,
    customer_details: email === null ? null : details(email, person?.name ?? null),
    locale: params.locale ?? null,
    metadata: readMetadata(params.metadata),
    submit_type: params.submit_type ?? null,
    adaptive_pricing: params.adaptive_pricing ? { enabled: false } : null,
    allowed_payment_method_types: params.allowed_payment_method_types ?? null,
    total_details: mode === "setup" ? null : template("checkout.session").total_details,
    url: `${book.url}/c/pay/${id}`,
  };
  const url = `/v1/checkout/sessions/${id}/line_items`;
  book.sessions.set(id, session);
  book.lines.set(id, { object: "list", data: items?.lines ?? [], has_more: false, url });
  book.plans.set(id, {
    intentData: params.payment_intent_data ?? {},
    setupData: params.setup_intent_data ?? {},
    challenged: null,
  });
  return session;
}

/** POST /v1/checkout/sessions/:id/expire. */
export function expireSession(book: Book, id: string): Stripe.Checkout.Session {
  const session = find(book.sessions, "checkout.session", id);
  if (session.status !== "open") {
    throw badState(`Only a Checkout Session that is open can be expired; this one is ${session.status}.`);
  }
  expire(book, session);
  return session;
}

/** Expires the open sessions past their `expires_at`. */
export function expireDue(book: Book): void {
  for (const session of book.sessions.values()) {
    if (session.status === "open" && session.expires_at <= book.now()) expire(book, session);
  }
}

/** The payer's details. */
export function details(email: string | null, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  const unknown = { address: null, business_name: null, individual_name: null, phone: null, tax_ids: null };
  return { ...unknown, email, name, tax_exempt: "none" };
}

function expire(book: Book, session: Stripe.Checkout.Session): void {
  session.status = "expired";
  session.url = null;
  const intent = book.intents.get(idOf(session.payment_intent) ?? "");
  if (intent) abandon(book, intent, "expired");
  const setup = book.setups.get(idOf(session.setup_intent) ?? "");
  if (setup) Object.assign(setup, { status: "canceled", next_action: null });
  book.emit("checkout.session.expired", session);
}

/** A setup session has no amount and requires a customer. */
function checkSetup(params: Create): null {
  for (const name of ["line_items", "payment_intent_data", "submit_type"] as const) {
    if (params[name]) throw badParameter(`${name} cannot be given in setup mode.`, name);
  }
  if (!params.allowed_payment_method_types && !params.currency) {
    throw badParameter("Missing required param: currency.", "currency", "parameter_missing");
  }
  if (params.currency) readCurrency(params.currency);
  if (!params.customer && params.customer_creation !== "always") {
    throw unimplemented("a setup session without customer or customer_creation=always");
  }
  return null;
}

function readItems(params: Create): Items {
  if (params.setup_intent_data) throw badParameter("setup_intent_data is for setup mode.", "setup_intent_data");
  if (!params.line_items?.length)
    throw badParameter("Missing required param: line_items.", "line_items", "parameter_missing");
  const lines = params.line_items.map(readItem);
  const currency = lines[0]?.currency ?? "";
  if (lines.some((line) => line.currency !== currency) || (params.currency ?? currency) !== currency) {
    throw badParameter("All prices of a Checkout Session must be in one currency.", "line_items");
  }
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0);
  if (total === 0) throw unimplemented("a session that costs nothing");
  checkAmount(total, currency, "line_items");
  return { lines, currency, total };
}

function readItem(item: Stripe.Checkout.SessionCreateParams.LineItem, index: number): Stripe.LineItem {
  const at = `line_items[${index}]`;
  const { price_data: price, quantity } = item;
  if (!price)
    throw badParameter(`Missing required param: ${at}[price_data].`, `${at}[price_data]`, "parameter_missing");
  if (!quantity) throw badParameter(`Missing required param: ${at}[quantity].`, `${at}[quantity]`, "parameter_missing");
  if (!price.product_data || price.unit_amount === undefined) {
    const missing = `${at}[price_data][${price.product_data ? "unit_amount" : "product_data"}]`;
    throw badParameter(`Missing required param: ${missing}.`, missing, "parameter_missing");
  }
  const total = price.unit_amount * quantity;
  return {
    ...template("item"),
    id: `li_${token(24)}`,
    amount_subtotal: total,
    amount_total: total,
    currency: readCurrency(price.currency, `${at}[price_data][currency]`),
    description: price.product_data.name,
    quantity,
  };
}

const exclusive = (one: string, other: string) =>
  badParameter(`Give only one of ${one} and ${other}.`, one, "parameters_exclusive");
