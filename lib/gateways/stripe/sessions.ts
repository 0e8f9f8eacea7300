import type Stripe from "stripe";
import {
  type ActionResult,
  type FinalResult,
  NoAnswer,
  type PendingResult,
  type SentAttempt,
} from "@/lib/gateways/gateway";
import { refusalOf } from "./errors";
import { chargeExpansion, readIntent, refusalIn } from "./intents";

/** How long a page is open. Stripe requires at least 30 minutes. The rest covers latency and clock differences. */
export const sessionSeconds = 35 * 60;

const expand = chargeExpansion.map((path) => `payment_intent.${path}`);

/**
 * Finds the Checkout session of an attempt whose reply was lost. Searches sessions created around `startedAt`, with
 * five minutes for clock differences.
 * @returns null when there is none
 */
export async function findSession(stripe: Stripe, attempt: SentAttempt): Promise<string | null> {
  const started = Math.floor(attempt.startedAt.getTime() / 1000);
  const created = { gte: started - 5 * 60, lte: started + 10 * 60 };
  for await (const { id, metadata } of stripe.checkout.sessions.list({ created, limit: 100 })) {
    if (metadata?.paydesk_payment === attempt.gatewayKey) return id;
  }
  return null;
}

export function fetchSession(stripe: Stripe, id: string): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.retrieve(id, { expand });
}

/** The attempt's state by its session. A session that is not open must come from `fetchSession`. */
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
  // Until money has moved, the session is the reference: it can be looked up and expired.
  if (known) return known.outcome === "succeeded" ? known : { ...known, ref };
  if (status !== "expired") throw new Error(`The session ${ref} is ${status}, but its payment is ${intent?.status}.`);
  // The payer was at the bank when the session expired. Stripe ends the bank's challenge later and then has the
  // outcome.
  if (intent?.status === "requires_action") return { outcome: "pending", ref, card: null };
  if (!intent) return { outcome: "declined", reason: "abandoned", code: null, card: null, risk: null, ref };
  return { outcome: "declined", ...refusalIn(intent, "abandoned"), ref };
}

/** Expires an open session and returns the final outcome. */
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
    if (!refusalOf(error)) throw error; // else it completed or expired meanwhile: read it again
  }
  const after = readSession(await fetchSession(stripe, id), attempt);
  if (after.outcome === "action") throw new NoAnswer(`The session ${id} could not be expired.`);
  return after;
}
