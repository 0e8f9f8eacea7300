import type Stripe from "stripe";
import { type Book, idOf, template, token } from "./books";
import { authenticationRequired, type Decline } from "./cards";
import { openDispute } from "./disputes";
import { ApiError, badParameter } from "./errors";
import { cardOf } from "./methods";
import { addTransaction } from "./transactions";

/** The bank's answer to a charge of this card. Changes nothing. */
export function bankVerdict(
  book: Book,
  method: Stripe.PaymentMethod,
  how: { present: boolean; authenticated?: boolean },
): Decline | "challenge" | "succeed" {
  const { card, confirmed } = cardOf(book, method);
  const decline = card.decline ?? card.chargeDecline;
  if (decline) return decline;
  const asks = card.asks === "always" || (card.asks === "once" && !confirmed);
  if (!asks || how.authenticated) return "succeed";
  return how.present || card.waits ? "challenge" : authenticationRequired;
}

/** Refuses a statement descriptor suffix that is too long for the account's prefix: `PREFIX* suffix`. */
export function assertFits(book: Book, suffix: string | undefined, at: string): void {
  const prefix = book.account.settings?.card_payments?.statement_descriptor_prefix ?? "";
  if (suffix === undefined || `${prefix}* ${suffix}`.length <= 22) return;
  throw badParameter(`The statement descriptor must be at most 22 characters with its prefix ${prefix}.`, at);
}

/** Succeeds an intent: creates the charge and its fee. */
export function settle(book: Book, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): void {
  const charge = newCharge(book, intent, method);
  Object.assign(charge, { amount_captured: intent.amount, captured: true });
  if (!book.lateFees || intent.capture_method !== "automatic_async") bookFee(book, charge);
  Object.assign(intent, {
    status: "succeeded",
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: method.id,
    last_payment_error: null,
    next_action: null,
  });
  book.emit("charge.succeeded", charge);
  book.emit("payment_intent.succeeded", intent);
  const { dispute } = cardOf(book, method).card;
  if (dispute) openDispute(book, charge, dispute);
}

/** Books the fees of asynchronously captured charges. */
export function settleFees(book: Book): void {
  for (const charge of book.charges.values()) {
    if (charge.status !== "succeeded" || charge.balance_transaction) continue;
    bookFee(book, charge);
    book.emit("charge.updated", charge);
  }
}

function bookFee(book: Book, charge: Stripe.Charge): void {
  const { id: source, amount } = charge;
  const entry = { type: "charge", amount, source, of: charge } as const;
  charge.balance_transaction = addTransaction(book, entry).id;
}

/** Declines an intent: creates a failed charge. The intent accepts another card. */
export function fail(book: Book, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod, decline: Decline): void {
  const charge = newCharge(book, intent, method);
  const refused =
    cardOf(book, method).card.risk === "highest"
      ? { network_status: "not_sent_to_network", reason: "highest_risk_level", type: "blocked" }
      : { network_status: "declined_by_network", reason: decline.decline_code, type: "issuer_declined" };
  Object.assign(charge, {
    status: "failed",
    paid: false,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: { ...charge.outcome, ...refused },
  });
  const error = { type: "card_error", ...decline, charge: charge.id, payment_method: structuredClone(method) } as const;
  Object.assign(intent, {
    status: "requires_payment_method",
    latest_charge: charge.id,
    payment_method: null,
    last_payment_error: error,
    next_action: null,
  });
  book.emit("charge.failed", charge);
  book.emit("payment_intent.payment_failed", intent);
}

/** Fails the authentication of an intent, without a charge. */
export function failAuthentication(book: Book, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Decline {
  const code = "payment_intent_authentication_failure";
  const message = "The payment method could not be authenticated. Try another one.";
  Object.assign(intent, {
    status: "requires_payment_method",
    payment_method: null,
    last_payment_error: { type: "invalid_request_error", code, message, payment_method: structuredClone(method) },
    next_action: null,
  });
  book.emit("payment_intent.payment_failed", intent);
  return { code, decline_code: "", message };
}

/** The 402 of a declined confirmation. */
export function cardError(intent: Stripe.PaymentIntent, decline: Decline): ApiError {
  const { charge, payment_method } = intent.last_payment_error ?? {};
  const envelope = { type: "card_error", ...decline, charge, payment_method } as const;
  return new ApiError(402, { ...envelope, payment_intent: structuredClone(intent) }, true);
}

function newCharge(book: Book, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod): Stripe.Charge {
  const base = template("charge");
  const example = base.payment_method_details?.card;
  if (!example || !method.card) throw new Error("The examples have no card.");
  const { brand, last4, exp_month, exp_year, fingerprint, funding, country } = method.card;
  const card = { ...example, brand, last4, exp_month, exp_year, fingerprint, funding, country, network: brand };
  const charge: Stripe.Charge = {
    ...base,
    id: `ch_${token(24)}`,
    created: book.now(),
    amount: intent.amount,
    currency: intent.currency,
    balance_transaction: null,
    billing_details: method.billing_details as Stripe.Charge["billing_details"],
    customer: idOf(intent.customer),
    description: intent.description,
    metadata: { ...intent.metadata },
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: "card", card },
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
  };
  const { risk = "normal" } = cardOf(book, method).card;
  Object.assign(charge, { outcome: { ...charge.outcome, risk_level: risk } });
  book.charges.set(charge.id, charge);
  return charge;
}
