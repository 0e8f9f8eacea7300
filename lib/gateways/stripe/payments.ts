import type Stripe from "stripe";
import { clock } from "@/lib/core/clock";
import { env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import type {
  ChargeResult,
  ChargeSavedRequest,
  DeclineReason,
  FinalResult,
  LookupResult,
  PayRequest,
  PendingResult,
  SentAttempt,
} from "@/lib/gateways/gateway";
import { toStripeAmount } from "./amounts";
import { cardErrorOf, isReplay, refusalOf, traits } from "./errors";
import {
  closeRefused,
  faceOf,
  fetchIntent,
  findIntent,
  parseCardRef,
  readIntent,
  refusalIn,
  stopIntent,
  whole,
} from "./intents";
import { takeKey } from "./keys";
import { declineReason } from "./reasons";
import { fetchSession, findSession, readSession, stopSession } from "./sessions";

/** Stripe wants at least 30 minutes; the rest is for the request's way and for clocks that differ. In seconds. */
const sessionLife = 35 * 60;

/** Stripe forgets an idempotency key after 24 hours; well before, it is not relied on any more. In milliseconds. */
const keyLife = 20 * 3_600_000;

/** Age at which no request of an attempt can still be executing: we hang up after 20 s. In milliseconds. */
const longGone = 10 * 60_000;

const age = ({ startedAt }: { startedAt: Date }): number => clock.now().getTime() - startedAt.getTime();

const declined = (reason: DeclineReason): FinalResult => ({ outcome: "declined", reason, ref: null, card: null });

/** A page at Stripe where the payer types the card (Checkout). */
export async function pay(stripe: Stripe, request: PayRequest): Promise<ChargeResult> {
  const { gatewayKey, currency } = request;
  const amount = toStripeAmount(request.amountCents, currency);
  if (amount === null) return declined("processing_error");
  const back = env().APP_URL + request.returnPath;
  try {
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        allowed_payment_method_types: ["card"],
        adaptive_pricing: { enabled: false }, // the payer pays what the link says, in its currency
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: currency.toLowerCase(),
              unit_amount: amount,
              product_data: { name: request.title },
            },
          },
        ],
        client_reference_id: gatewayKey,
        metadata: { paydesk_payment: gatewayKey },
        payment_intent_data: {
          capture_method: "automatic",
          description: request.title,
          metadata: { paydesk_payment: gatewayKey },
        },
        customer_email: request.email,
        success_url: back,
        cancel_url: back,
        expires_at: Math.floor(request.startedAt.getTime() / 1000) + sessionLife,
      },
      { idempotencyKey: gatewayKey },
    );
    return readSession(isReplay(session) ? await fetchSession(stripe, session.id) : session, request);
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused) throw error;
    // A repetition can be refused although the first request was not: it comes too late for `expires_at`.
    const earlier = await findSession(stripe, { ...request, ref: null, cardRef: null });
    if (earlier) return readSession(await fetchSession(stripe, earlier), request);
    log.warn({ payment: gatewayKey, ...traits(refused) }, "Stripe refused to open a page for a payment");
    return declined("processing_error");
  }
}

/** Charges a card on file without its payer. */
export async function chargeSaved(stripe: Stripe, request: ChargeSavedRequest): Promise<ChargeResult> {
  const { gatewayKey, currency, cardRef } = request;
  const attempt: SentAttempt = { ...request, ref: null };
  const amount = toStripeAmount(request.amountCents, currency);
  if (amount === null) return declined("processing_error");
  if (age(attempt) > keyLife) {
    // The key would not protect from a second charge: what there is counts, and nothing is sent.
    const known = await lookup(stripe, attempt);
    return known.outcome === "absent" ? declined("processing_error") : known;
  }
  const { customer, method } = parseCardRef(cardRef);
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency: currency.toLowerCase(),
        customer,
        payment_method: method,
        allowed_payment_method_types: ["card"],
        capture_method: "automatic",
        confirm: true,
        off_session: true,
        error_on_requires_action: true,
        description: request.title,
        metadata: { paydesk_payment: gatewayKey },
        expand: whole,
      },
      { idempotencyKey: gatewayKey },
    );
    return (
      readIntent(intent, request, "processing_error") ??
      (await stopIntent(stripe, intent.id, request, "authentication_required"))
    );
  } catch (error) {
    const refusedCard = cardErrorOf(error);
    if (refusedCard) {
      const ref = refusedCard.payment_intent?.id ?? (await findIntent(stripe, attempt));
      if (ref) await closeRefused(stripe, ref);
      const card = faceOf(
        refusedCard.payment_method?.card ?? refusedCard.payment_intent?.last_payment_error?.payment_method?.card,
      );
      return { outcome: "declined", reason: declineReason(refusedCard), ref, card };
    }
    const refused = refusalOf(error);
    if (!refused) throw error;
    log.warn({ payment: gatewayKey, ...traits(refused) }, "Stripe refused to charge a saved card");
    const gone = refused.param === "payment_method" || refused.param === "customer";
    return stop(stripe, attempt, { answered: true, otherwise: gone ? "card_not_supported" : "processing_error" });
  }
}

/** What became of an attempt. */
export async function lookup(stripe: Stripe, attempt: SentAttempt): Promise<LookupResult> {
  const found = await find(stripe, attempt);
  if (!found) return { outcome: "absent" };
  if (found.startsWith("cs_")) return readSession(await fetchSession(stripe, found), attempt);
  const intent = await fetchIntent(stripe, found);
  const known = readIntent(intent, attempt, "processing_error");
  if (known) return known;
  const refusal = refusalIn(intent, "processing_error");
  // Not refused yet: the request that makes and confirms it is still executing, and is left to.
  if (!intent.last_payment_error) return { outcome: "pending", ref: found, card: null };
  await closeRefused(stripe, found);
  return { outcome: "declined", ...refusal, ref: found };
}

/** Makes sure that an attempt takes no money any more. */
export function cancel(stripe: Stripe, attempt: SentAttempt): Promise<FinalResult | PendingResult> {
  return stop(stripe, attempt, { answered: false, otherwise: "processing_error" });
}

async function find(stripe: Stripe, attempt: SentAttempt): Promise<string | null> {
  if (attempt.ref) return attempt.ref;
  return attempt.cardRef ? findIntent(stripe, attempt) : findSession(stripe, attempt);
}

/**
 * What Stripe has of the attempt is ended. What it does not have could still be on its way, so the key is taken for a
 * request of another kind, and one of three things is true:
 *
 * 1. The key was free. Stripe executes one request per key: the attempt's, should it still arrive, is refused. Stripe
 *    keeps a key for at least 24 hours. Nothing of ours waits that long on the wire, and nothing is sent again that late:
 *    `pay` names a moment 35 minutes after `startedAt` by which its session expires, at least 30 minutes ahead of its
 *    arrival, and `chargeSaved` does not send after 20 hours. If the key was free only because Stripe had forgotten it,
 *    what was done with it is a day old, and the search before would have found it.
 * 2. The key was used: the attempt arrived between the search and this, and a second search finds what it made.
 * 3. The key was used and there is nothing: the attempt was executed and made nothing, and never will. Only for as long as
 *    it might be executing at this very moment is that not certain (`longGone`; Stripe does not say which of the two it
 *    checks first). Then the outcome stays unknown and the ledger asks again. `answered`: Stripe has refused this request
 *    itself, so it has ended.
 *
 * Any other answer (no network, 409 because the key's request is executing, 5xx) is an error, and the outcome unknown.
 */
async function stop(
  stripe: Stripe,
  attempt: SentAttempt,
  how: { answered: boolean; otherwise: DeclineReason },
): Promise<FinalResult | PendingResult> {
  const end = (ref: string) =>
    ref.startsWith("cs_") ? stopSession(stripe, ref, attempt) : stopIntent(stripe, ref, attempt, how.otherwise);
  const known = await find(stripe, attempt);
  if (known) return end(known);
  if ((await takeKey(stripe, attempt.gatewayKey)) === "taken") return declined(how.otherwise);
  const arrived = await find(stripe, attempt);
  if (arrived) return end(arrived);
  if (how.answered || age(attempt) > longGone) return declined(how.otherwise);
  throw new Error(`Stripe may be working on ${attempt.gatewayKey}: it must be asked again.`);
}
