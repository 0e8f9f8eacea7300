import type Stripe from "stripe";
import { log } from "@/lib/core/log";
import type { CardFace, DeclineReason, Fee, FinalResult, PendingResult, SentAttempt } from "@/lib/gateways/gateway";
import { fromStripeAmount, toStripeAmount } from "./amounts";
import { plain, refusalOf, traits } from "./errors";
import { declineReason } from "./reasons";

/** What must be expanded of a payment intent, so that its charge and Stripe's fee are in it. */
export const whole = ["latest_charge.balance_transaction"];

type Expected = Pick<SentAttempt, "gatewayKey" | "amountCents" | "currency">;

/**
 * What an intent says of its attempt; null while it could still be paid.
 * @param otherwise why it was declined, where Stripe gives no reason
 * @throws Error when it took another amount than the attempt's
 */
export function readIntent(
  intent: Stripe.PaymentIntent,
  expected: Expected,
  otherwise: DeclineReason,
): FinalResult | PendingResult | null {
  const { id: ref, status } = intent;
  switch (status) {
    case "succeeded":
      assertSameMoney(intent, expected);
      return { outcome: "succeeded", ref, card: chargedCard(intent), fee: feeOf(intent) };
    case "processing":
      return { outcome: "pending", ref, card: chargedCard(intent) };
    case "canceled":
      return { outcome: "declined", ...refusalIn(intent, otherwise), ref };
    default:
      return null;
  }
}

/** Why an intent took no money, and with which card. */
export function refusalIn(
  { last_payment_error: error }: Stripe.PaymentIntent,
  otherwise: DeclineReason,
): { reason: DeclineReason; card: CardFace | null } {
  if (!error) return { reason: otherwise, card: null };
  return { reason: declineReason(error), card: faceOf(error.payment_method?.card) };
}

/** What may be shown of a card, as Stripe describes it. */
export function faceOf(card: { brand: string | null; last4: string | null } | null | undefined): CardFace | null {
  return card?.brand && card.last4 ? { brand: card.brand, last4: card.last4 } : null;
}

function assertSameMoney(intent: Stripe.PaymentIntent, expected: Expected): void {
  const { id: ref, amount, amount_received, currency } = intent;
  const asked = toStripeAmount(expected.amountCents, expected.currency);
  if (amount === asked && amount_received === asked && currency.toUpperCase() === expected.currency) return;
  log.error(
    { payment: expected.gatewayKey, ref, asked: [asked, expected.currency], took: [amount_received, currency] },
    "Stripe took another amount than was asked for",
  );
  throw new Error(`Stripe took ${amount_received} ${currency} for ${expected.gatewayKey}: not what was asked for.`);
}

function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === "object" ? charge : null;
}

function chargedCard(intent: Stripe.PaymentIntent): CardFace | null {
  return faceOf(chargeOf(intent)?.payment_method_details?.card);
}

/** Stripe's fee in the currency of the account's balance; null as long as Stripe has not booked the charge. */
function feeOf(intent: Stripe.PaymentIntent): Fee | null {
  const booked = chargeOf(intent)?.balance_transaction;
  if (!booked || typeof booked === "string") return null;
  return { cents: fromStripeAmount(booked.fee, booked.currency), currency: booked.currency.toUpperCase() };
}

/** Saved cards: `cus_.../pm_...`, because Stripe charges a card only together with the customer whose it is. */
export function parseCardRef(ref: string): { customer: string; method: string } {
  const [customer, method, ...rest] = ref.split("/");
  if (!customer || !method || rest.length > 0) throw new Error("This is no reference of a card at Stripe.");
  return { customer, method };
}

/**
 * The intent that charged a saved card under this key. It is looked for among the customer's own intents, which are few,
 * from a day before the attempt on, so that no clock has to be right.
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
    // Without the customer there is no card to charge, nor was there one.
    const refused = refusalOf(error);
    if (refused?.code === "resource_missing" && refused.param === "customer") return null;
    throw error;
  }
  return null;
}

/** The intent as it is now, with its charge. */
export function fetchIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand: whole });
}

/**
 * Cancels an intent that has not taken money, and says what is final. Stripe decides between the two: an intent is either
 * cancelled or has succeeded, whoever else works on it.
 */
export async function stopIntent(
  stripe: Stripe,
  id: string,
  expected: Expected,
  otherwise: DeclineReason,
): Promise<FinalResult | PendingResult> {
  const before = readIntent(await fetchIntent(stripe, id), expected, otherwise);
  if (before && before.outcome !== "pending") return before;
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  } catch (error) {
    if (!refusalOf(error)) throw error; // else it ended meanwhile, or cannot be stopped any more: look
  }
  const after = readIntent(await fetchIntent(stripe, id), expected, otherwise);
  if (!after) throw new Error(`The payment intent ${id} could not be cancelled.`);
  return after;
}

/**
 * Cancels what a bank has refused. The refusal is final without it, since nobody has what it takes to confirm the intent
 * again (neither its client secret nor our key leave this process); this closes the last door where it can.
 */
export async function closeRefused(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.paymentIntents.cancel(id, { cancellation_reason: "abandoned" });
  } catch (error) {
    const refused = refusalOf(error);
    if (refused?.code === "payment_intent_unexpected_state") return; // cancelled before: a repeated request
    const why = refused ? traits(refused) : { reason: plain(error).message };
    log.warn({ ref: id, ...why }, "a refused payment intent was not cancelled");
  }
}
