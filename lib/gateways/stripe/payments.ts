import type Stripe from "stripe";
import { clock } from "@/lib/core/clock";
import { env } from "@/lib/core/env";
import { log } from "@/lib/core/log";
import {
  type ChargeResult,
  type ChargeSavedRequest,
  type FinalResult,
  type LookupResult,
  NoAnswer,
  type PayRequest,
  type PendingResult,
  type SentAttempt,
} from "@/lib/gateways/gateway";
import type { DeclineReason } from "@/lib/gateways/reasons";
import { toStripeAmount } from "./amounts";
import { sendCounted } from "./counted";
import { describePayment } from "./descriptions";
import { cardErrorOf, codeOf, isReplay, loggableFields, NotExecuted, refusalOf } from "./errors";
import {
  chargeExpansion,
  closeRefused,
  faceOf,
  fetchIntent,
  findIntent,
  parseCardRef,
  readIntent,
  refusalIn,
  stopIntent,
} from "./intents";
import { keyLifeMs, takeKey } from "./keys";
import { declineReason, refusalReason } from "./reasons";
import { fetchSession, findSession, readSession, sessionSeconds, stopSession } from "./sessions";

/** Age from which no request of an attempt can still be executing: our requests time out after 20 s. */
const requestGoneMs = 10 * 60_000;

const ageMs = ({ startedAt }: { startedAt: Date }): number => clock.now().getTime() - startedAt.getTime();

const declined = (reason: DeclineReason, code: string | null = null): FinalResult => ({
  outcome: "declined",
  ...{ reason, code, ref: null, card: null, risk: null },
});

export async function pay(stripe: Stripe, accountId: string, request: PayRequest): Promise<ChargeResult> {
  const { gatewayKey, currency } = request;
  const amount = toStripeAmount(request.amountCents, currency);
  if (amount === null) return declined("gateway_refused");
  const back = env().APP_URL + request.returnPath;
  const description = describePayment(request, accountId);
  // Stripe charges a saved card only together with its customer.
  const keep = request.saveCard
    ? ({ intent: { setup_future_usage: "off_session" }, session: { customer_creation: "always" } } as const)
    : { intent: {}, session: {} };
  try {
    const session = await sendCounted(stripe, gatewayKey, () =>
      stripe.checkout.sessions.create(
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
          metadata: description.metadata,
          payment_intent_data: { capture_method: "automatic", ...description, ...keep.intent },
          ...keep.session,
          customer_email: request.email,
          success_url: back,
          cancel_url: back,
          expires_at: Math.floor(request.startedAt.getTime() / 1000) + sessionSeconds,
        },
        { idempotencyKey: gatewayKey },
      ),
    );
    return readSession(isReplay(session) ? await fetchSession(stripe, session.id) : session, request);
  } catch (error) {
    if (error instanceof NotExecuted) return declined("processing_error", error.code);
    const refused = refusalOf(error);
    if (!refused) throw error;
    // A repeated request can be refused although the first one succeeded: `expires_at` is too close by then.
    const earlier = await findSession(stripe, { ...request, ref: null, cardRef: null });
    if (earlier) return readSession(await fetchSession(stripe, earlier), request);
    log.warn({ payment: gatewayKey, ...loggableFields(refused) }, "Stripe refused to open a page for a payment");
    return declined(refusalReason(refused), codeOf(refused));
  }
}

export async function chargeSaved(
  stripe: Stripe,
  accountId: string,
  request: ChargeSavedRequest,
): Promise<ChargeResult> {
  const { gatewayKey, currency, cardRef } = request;
  const attempt: SentAttempt = { ...request, ref: null };
  const amount = toStripeAmount(request.amountCents, currency);
  if (amount === null) return declined("gateway_refused");
  if (ageMs(attempt) > keyLifeMs) {
    // The key may no longer prevent a second charge, so only look up.
    const known = await lookup(stripe, attempt);
    return known.outcome === "absent" ? declined("processing_error") : known;
  }
  const { customer, method } = parseCardRef(cardRef);
  try {
    const intent = await sendCounted(stripe, gatewayKey, () =>
      stripe.paymentIntents.create(
        {
          amount,
          currency: currency.toLowerCase(),
          customer,
          payment_method: method,
          allowed_payment_method_types: ["card"],
          capture_method: "automatic",
          confirm: true,
          off_session: true,
          ...describePayment(request, accountId),
          expand: chargeExpansion,
        },
        { idempotencyKey: gatewayKey },
      ),
    );
    return (
      readIntent(intent, request, "processing_error") ??
      (await stopIntent(stripe, intent.id, request, "authentication_required"))
    );
  } catch (error) {
    if (error instanceof NotExecuted) return declined("processing_error", error.code);
    const refusedCard = cardErrorOf(error);
    if (refusedCard) {
      const ref = refusedCard.payment_intent?.id ?? (await findIntent(stripe, attempt));
      if (ref) await closeRefused(stripe, ref);
      const card = faceOf(
        refusedCard.payment_method?.card ?? refusedCard.payment_intent?.last_payment_error?.payment_method?.card,
      );
      // The error has only the charge's id. Its risk would take another request.
      const [reason, code] = [declineReason(refusedCard), codeOf(refusedCard)];
      return { outcome: "declined", reason, code, ref, card, risk: null };
    }
    const refused = refusalOf(error);
    if (!refused) throw error;
    log.warn({ payment: gatewayKey, ...loggableFields(refused) }, "Stripe refused to charge a saved card");
    const gone = refused.param === "payment_method" || refused.param === "customer";
    const reason = gone ? "card_not_supported" : refusalReason(refused);
    return stop(stripe, attempt, { answered: true, reason, code: codeOf(refused) });
  }
}

export async function lookup(stripe: Stripe, attempt: SentAttempt): Promise<LookupResult> {
  const found = await find(stripe, attempt);
  if (!found) return { outcome: "absent" };
  if (found.startsWith("cs_")) return readSession(await fetchSession(stripe, found), attempt);
  const intent = await fetchIntent(stripe, found);
  const known = readIntent(intent, attempt, "processing_error");
  if (known) return known;
  const refusal = refusalIn(intent, "processing_error");
  // Neither refused nor confirmed: the request that creates and confirms it is still executing.
  if (!intent.last_payment_error) return { outcome: "pending", ref: found, card: null };
  await closeRefused(stripe, found);
  return { outcome: "declined", ...refusal, ref: found };
}

export function cancel(stripe: Stripe, attempt: SentAttempt): Promise<FinalResult | PendingResult> {
  return stop(stripe, attempt, { answered: false, reason: "processing_error", code: null });
}

async function find(stripe: Stripe, attempt: SentAttempt): Promise<string | null> {
  if (attempt.ref) return attempt.ref;
  return attempt.cardRef ? findIntent(stripe, attempt) : findSession(stripe, attempt);
}

/**
 * Ends an attempt for good. If Stripe has a session or intent for it, that is ended. If not, the attempt's request
 * could still be in flight, so its idempotency key is used up by a request of another kind. Then one of three cases
 * holds:
 *
 * 1. The key was free. Stripe executes one request per key, so the attempt's request is refused if it still arrives.
 *    Stripe keeps a key for at least 24 hours, and no request of ours arrives that late. A session's `expires_at` is 35
 *    minutes after `startedAt` and must lie at least 30 minutes ahead on arrival. `chargeSaved` does not send after 20
 *    hours. If the key was free because Stripe had forgotten it, its object is a day old, and the first search would
 *    have found it.
 * 2. The key was used. The attempt arrived between the search and this request, and a second search finds its object.
 * 3. The key was used, and there is no object. The attempt was executed without creating anything, or Stripe failed to
 *    use up the key and has stored that failure under it. This is certain only once the attempt's request can no longer
 *    be executing (`requestGoneMs`): Stripe does not document which check comes first.
 *    Before that the outcome stays unknown, and the ledger looks it up again. `answered`: Stripe has refused this very
 *    request, so it has ended.
 *
 * Any other result (no network, 409 while the key's request executes, a 5xx that is not a stored one) is an error, and
 * the outcome stays unknown.
 */
async function stop(
  stripe: Stripe,
  attempt: SentAttempt,
  how: { answered: boolean; reason: DeclineReason; code: string | null },
): Promise<FinalResult | PendingResult> {
  const end = (ref: string) =>
    ref.startsWith("cs_") ? stopSession(stripe, ref, attempt) : stopIntent(stripe, ref, attempt, how.reason);
  const known = await find(stripe, attempt);
  if (known) return end(known);
  if ((await takeKey(stripe, attempt.gatewayKey)) === "taken") return declined(how.reason, how.code);
  const arrived = await find(stripe, attempt);
  if (arrived) return end(arrived);
  if (how.answered || ageMs(attempt) > requestGoneMs) return declined(how.reason, how.code);
  throw new NoAnswer(`Stripe may be working on ${attempt.gatewayKey}: look it up again.`);
}
