import type Stripe from "stripe";
import { log } from "@/lib/core/log";
import {
  type Booked,
  type CardFace,
  type FinalResult,
  NoAnswer,
  type PendingResult,
  type SavedCard,
  type SentAttempt,
} from "@/lib/gateways/gateway";
import { type DeclineReason, isRisk, type Risk } from "@/lib/gateways/reasons";
import { fromStripeAmount, toStripeAmount } from "./amounts";
import { codeOf, loggableFields, refusalOf, toLoggableError } from "./errors";
import { declineReason } from "./reasons";

export const chargeExpansion = ["latest_charge.balance_transaction"];

type Expected = Pick<SentAttempt, "gatewayKey" | "amountCents" | "currency">;

/**
 * The attempt's outcome by its intent; null while the intent can still be paid.
 * @param fallback the decline reason if Stripe gives none
 * @throws Error when the charged amount differs from the attempt's
 */
export function readIntent(
  intent: Stripe.PaymentIntent,
  expected: Expected,
  fallback: DeclineReason,
): FinalResult | PendingResult | null {
  const { id: ref, status } = intent;
  switch (status) {
    case "succeeded":
      assertSameMoney(intent, expected);
      return {
        outcome: "succeeded",
        ref,
        card: chargedCard(intent),
        booked: bookedOf(chargeOf(intent)?.balance_transaction),
        saved: savedCard(intent),
        risk: riskOf(intent),
      };
    case "processing":
      return { outcome: "pending", ref, card: chargedCard(intent) };
    case "canceled":
      return { outcome: "declined", ...refusalIn(intent, fallback), ref };
    default:
      return null;
  }
}

export function refusalIn(
  intent: Stripe.PaymentIntent,
  fallback: DeclineReason,
): { reason: DeclineReason; code: string | null; card: CardFace | null; risk: Risk | null } {
  const { last_payment_error: error } = intent;
  const risk = riskOf(intent);
  if (!error) return { reason: fallback, code: null, card: null, risk };
  const { code, decline_code } = error;
  return {
    reason: declineReason(error),
    code: codeOf({ code, decline_code }),
    card: faceOf(error.payment_method?.card),
    risk,
  };
}

interface StripeCard {
  brand: string | null;
  last4: string | null;
  exp_month?: number;
  exp_year?: number;
}

export function faceOf(card: StripeCard | null | undefined): CardFace | null {
  if (!card?.brand || !card.last4) return null;
  const { brand, last4, exp_month: expMonth = null, exp_year: expYear = null } = card;
  return { brand, last4, expMonth, expYear };
}

function assertSameMoney(intent: Stripe.PaymentIntent, expected: Expected): void {
  const { id: ref, amount, amount_received, currency } = intent;
  const requested = toStripeAmount(expected.amountCents, expected.currency);
  if (amount === requested && amount_received === requested && currency.toUpperCase() === expected.currency) return;
  log.error(
    { payment: expected.gatewayKey, ref, requested: [requested, expected.currency], took: [amount_received, currency] },
    "Stripe took another amount than was requested",
  );
  throw new Error(`Stripe took ${amount_received} ${currency} for ${expected.gatewayKey}: not what was requested.`);
}

function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === "object" ? charge : null;
}

function chargedCard(intent: Stripe.PaymentIntent): CardFace | null {
  return faceOf(chargeOf(intent)?.payment_method_details?.card);
}

/** The risk that Stripe's Radar gave the last charge; null for its other values, which mean that it did not assess the charge. */
function riskOf(intent: Stripe.PaymentIntent): Risk | null {
  const level = chargeOf(intent)?.outcome?.risk_level;
  return isRisk(level) ? level : null;
}

/** The card that Stripe has saved with the payment; null unless the payment was made to save it. */
function savedCard(intent: Stripe.PaymentIntent): SavedCard | null {
  const { setup_future_usage: usage, customer, payment_method: method } = intent;
  const card = chargeOf(intent)?.payment_method_details?.card;
  const face = faceOf(card);
  if (usage !== "off_session" || !customer || !method || !card || !face) return null;
  const idOf = (one: string | { id: string }) => (typeof one === "string" ? one : one.id);
  const { exp_month: expMonth, exp_year: expYear } = card;
  return { ref: `${idOf(customer)}/${idOf(method)}`, card: { ...face, expMonth, expYear } };
}

/** A balance transaction, in the currency of the account's balance; null until Stripe has booked it. */
export function bookedOf(transaction: string | Stripe.BalanceTransaction | null | undefined): Booked | null {
  if (!transaction || typeof transaction === "string") return null;
  const { amount, fee, currency } = transaction;
  return {
    grossCents: Math.abs(fromStripeAmount(amount, currency)),
    feeCents: fromStripeAmount(fee, currency),
    currency: currency.toUpperCase(),
  };
}

/** References of saved cards are `cus_.../pm_...`: Stripe charges a card only together with its customer. */
export function parseCardRef(ref: string): { customer: string; method: string } {
  const [customer, method, ...rest] = ref.split("/");
  if (!customer || !method || rest.length > 0) throw new Error("Not a reference of a card at Stripe.");
  return { customer, method };
}

/**
 * Finds the intent of an off-session charge by its key. Searches the customer's intents from a day before the attempt
 * on, so that clock differences do not matter.
 * @returns null when there is none
 */
export async function findIntent(stripe: Stripe, attempt: SentAttempt): Promise<string | null> {
  const { customer } = parseCardRef(attempt.cardRef ?? "");
  const since = Math.floor(attempt.startedAt.getTime() / 1000) - 86_400;
  try {
    for await (const { id, metadata } of stripe.paymentIntents.list({
      customer,
      created: { gte: since },
      limit: 100,
    })) {
      if (metadata.paydesk_payment === attempt.gatewayKey) return id;
    }
  } catch (error) {
    // Without the customer there was no card to charge.
    const refused = refusalOf(error);
    if (refused?.code === "resource_missing" && refused.param === "customer") return null;
    throw error;
  }
  return null;
}

export function fetchIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand: chargeExpansion });
}

/** Cancels an intent that has not taken money, and returns the final outcome. Stripe resolves concurrent requests. */
export async function stopIntent(
  stripe: Stripe,
  id: string,
  expected: Expected,
  fallback: DeclineReason,
): Promise<FinalResult | PendingResult> {
  const before = readIntent(await fetchIntent(stripe, id), expected, fallback);
  if (before && before.outcome !== "pending") return before;
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  } catch (error) {
    if (!refusalOf(error)) throw error; // else it ended meanwhile or cannot be cancelled: read it again
  }
  const after = readIntent(await fetchIntent(stripe, id), expected, fallback);
  if (!after) throw new NoAnswer(`The payment intent ${id} could not be cancelled.`);
  return after;
}

/**
 * Cancels an intent that the bank has refused, as an additional safeguard: neither its client secret nor our key
 * leaves this process, so it cannot be confirmed again. Failures are only logged.
 */
export async function closeRefused(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  } catch (error) {
    const refused = refusalOf(error);
    if (refused?.code === "payment_intent_unexpected_state") return; // cancelled before: a repeated request
    const why = refused ? loggableFields(refused) : { reason: toLoggableError(error).message };
    log.warn({ ref: id, ...why }, "a refused payment intent was not cancelled");
  }
}
