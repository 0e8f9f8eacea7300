import type Stripe from "stripe";
import type { ActionResult, FinalResult, PendingResult, SentAttempt } from "@/lib/gateways/gateway";
import { refusalOf } from "./errors";
import { readIntent, refusalIn, whole } from "./intents";

const expand = whole.map((path) => `payment_intent.${path}`);

/**
 * The Checkout session of an attempt whose reply was lost, among those of its time: sent within half a minute of
 * `startedAt`, and five minutes for clocks that differ.
 * @returns null when there is none
 */
export async function findSession(stripe: Stripe, attempt: SentAttempt): Promise<string | null> {
  const begun = Math.floor(attempt.startedAt.getTime() / 1000);
  const created = { gte: begun - 5 * 60, lte: begun + 10 * 60 };
  for await (const { id, metadata } of stripe.checkout.sessions.list({ created, limit: 100 })) {
    if (metadata?.paydesk_payment === attempt.gatewayKey) return id;
  }
  return null;
}

/** The session as it is now, with its intent and charge. */
export function fetchSession(stripe: Stripe, id: string): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.retrieve(id, { expand });
}

/** What a Checkout session says of its attempt; one that is not open any more must come from `fetchSession`. */
export function readSession(
  session: Stripe.Checkout.Session,
  attempt: Pick<SentAttempt, "gatewayKey" | "amountCents" | "currency">,
): FinalResult | PendingResult | ActionResult {
  const { id: ref, status, url, payment_intent: intent } = session;
  if (status === "open") {
    if (!url) throw new Error(`The open session ${ref} has no address.`);
    return { outcome: "action", at: "gateway", ref, url, card: null };
  }
  if (typeof intent === "string") throw new Error("A session is read with its payment intent.");
  const known = intent && readIntent(intent, attempt, "abandoned");
  // Until money has moved, the session is what can be asked and expired.
  if (known) return known.outcome === "succeeded" ? known : { ...known, ref };
  if (status !== "expired") throw new Error(`The session ${ref} is ${status}, but its payment is ${intent?.status}.`);
  // The payer was at the bank when the session ended: Stripe ends that too, and until then does not say how.
  if (intent?.status === "requires_action") return { outcome: "pending", ref, card: null };
  const refusal = intent ? refusalIn(intent, "abandoned") : { reason: "abandoned" as const, card: null };
  return { outcome: "declined", ...refusal, ref };
}

/** Expires an open session, after which nobody can pay it, and says what is final. */
export async function stopSession(
  stripe: Stripe,
  id: string,
  attempt: SentAttempt,
): Promise<FinalResult | PendingResult> {
  const before = readSession(await fetchSession(stripe, id), attempt);
  if (before.outcome !== "action") return before;
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (!refusalOf(error)) throw error; // else it was completed or expired meanwhile: look
  }
  const after = readSession(await fetchSession(stripe, id), attempt);
  if (after.outcome === "action") throw new Error(`The session ${id} could not be expired.`);
  return after;
}
