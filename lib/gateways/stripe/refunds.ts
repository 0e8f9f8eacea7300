import type Stripe from "stripe";
import { clock } from "@/lib/core/clock";
import { log } from "@/lib/core/log";
import type { KnownRefund, RefundRequest, RefundResult } from "@/lib/gateways/gateway";
import type { RefundFailure } from "@/lib/gateways/reasons";
import { fromStripeAmount, toStripeAmount } from "./amounts";
import { sendCounted } from "./counted";
import { isStoredFailure, loggableFields, refusalOf } from "./errors";
import { bookedOf } from "./intents";
import { keyLifeMs } from "./keys";
import { refundFailure } from "./reasons";

const bookings = ["balance_transaction", "failure_balance_transaction"];

/** How long Stripe repeats a stored failure before a refund uses its second key: it repairs requests that it has failed, and needs time. */
const secondKeyMs = 3_600_000;

/**
 * When Stripe repeated the stored failure of a refund first, by `gatewayKey`, in milliseconds. Each process has its own: a restart only
 * delays the second key.
 */
const firstRepeats = new Map<string, number>();
const maxRepeats = 1_000;

/** For how many milliseconds Stripe has repeated this refund's stored failure. */
function repeatedForMs(gatewayKey: string): number {
  const now = clock.now().getTime();
  const first = firstRepeats.get(gatewayKey) ?? now;
  firstRepeats.set(gatewayKey, first);
  const [oldest] = firstRepeats.keys();
  if (firstRepeats.size > maxRepeats && oldest !== undefined) firstRepeats.delete(oldest);
  return now - first;
}

/**
 * Refunds once per `gatewayKey`. Searches existing refunds before each sending, since Stripe forgets idempotency keys after a day.
 *
 * Stripe stores a failure of its own (5xx) under the idempotency key, and repeats it until it forgets the key. Such a refund gets a
 * second idempotency key, always the same one. Paydesk's requests with the two keys never make two refunds:
 *
 * 1. A repeated answer proves that the request with the first key has ended. The search after it finds what that request made.
 * 2. The second key is used only while Stripe has not forgotten the first one, so that request is not executed anew meanwhile.
 * 3. Stripe executes one request per idempotency key, so all callers together make one refund with the second key.
 * 4. Refunds by either key have the same metadata. Each later search finds them, also after Stripe has forgotten both keys.
 *
 * Only Stripe itself could make another one, if it repairs the failed request after `secondKeyMs`. The ledger then imports it. If Stripe has
 * stored a failure under the second key as well, the refund waits until Stripe has forgotten the first one.
 * @throws Error when the outcome is unknown, also after a failure of Stripe's: it may still make the refund
 */
export async function refund(stripe: Stripe, request: RefundRequest): Promise<RefundResult> {
  const { gatewayKey, startedAt, currency } = request;
  const amount = toStripeAmount(request.amountCents, currency);
  // Certain: such an amount can never be sent.
  if (amount === null) return { status: "failed", ref: null, failure: "processing_error", booked: null };
  try {
    return await findOrMake(stripe, request, amount, gatewayKey);
  } catch (error) {
    const ageMs = clock.now().getTime() - startedAt.getTime();
    if (!isStoredFailure(error) || repeatedForMs(gatewayKey) < secondKeyMs || ageMs > keyLifeMs) throw error;
    return findOrMake(stripe, request, amount, `${gatewayKey}/2`);
  }
}

/** @param amount in Stripe's smallest unit of the currency */
async function findOrMake(
  stripe: Stripe,
  { gatewayKey, chargeRef, currency }: RefundRequest,
  amount: number,
  idempotencyKey: string,
): Promise<RefundResult> {
  let intent: Stripe.PaymentIntent;
  try {
    for await (const earlier of list(stripe, chargeRef)) {
      if (earlier.metadata?.paydesk_refund !== gatewayKey) continue;
      if (earlier.amount !== amount) throw new Error(`The key ${gatewayKey} was used for another amount.`);
      return resultOf(earlier);
    }
    intent = await stripe.paymentIntents.retrieve(chargeRef, { expand: ["latest_charge"] });
  } catch (error) {
    if (refusalOf(error)?.code !== "resource_missing") throw error;
    // Staff settled the payment by hand with a wrong reference: nothing can be refunded by it.
    return { status: "failed", ref: null, failure: "processing_error", booked: null };
  }
  if (intent.currency.toUpperCase() !== currency) throw new Error(`${chargeRef} was not made in ${currency}.`);
  const metadata = { paydesk_payment: intent.metadata.paydesk_payment ?? "", paydesk_refund: gatewayKey };
  try {
    const created = await sendCounted(stripe, idempotencyKey, () =>
      stripe.refunds.create({ payment_intent: chargeRef, amount, metadata, expand: bookings }, { idempotencyKey }),
    );
    return resultOf(created);
  } catch (error) {
    const refused = refusalOf(error);
    if (!refused) throw error;
    log.warn({ refund: gatewayKey, ...loggableFields(refused) }, "Stripe refused a refund");
    return { status: "failed", ref: null, failure: failureOf(refused.code, intent, amount), booked: null };
  }
}

export async function refundsOf(stripe: Stripe, chargeRef: string): Promise<KnownRefund[]> {
  const known: KnownRefund[] = [];
  for await (const row of list(stripe, chargeRef)) {
    const { status, failure, booked } = resultOf(row);
    known.push({
      ref: row.id,
      gatewayKey: row.metadata?.paydesk_refund ?? null,
      amountCents: fromStripeAmount(row.amount, row.currency),
      status,
      failure,
      booked,
    });
  }
  return known;
}

function list(stripe: Stripe, chargeRef: string) {
  return stripe.refunds.list({ payment_intent: chargeRef, limit: 100, expand: bookings.map((path) => `data.${path}`) });
}

function resultOf(refund: Stripe.Refund): RefundResult {
  const { id: ref, status, failure_reason } = refund;
  const booked = bookedOf(refund.balance_transaction);
  switch (status) {
    case "succeeded":
      return { status: "succeeded", ref, failure: null, booked };
    case "failed":
    case "canceled":
      return {
        status: "failed",
        ref,
        failure: refundFailure(failure_reason),
        booked: bookedOf(refund.failure_balance_transaction),
      };
    default:
      return { status: "pending", ref, failure: null, booked };
  }
}

/** Stripe has no code for a refund above the remaining amount, so compare with the charge. */
function failureOf(code: string | undefined, intent: Stripe.PaymentIntent, amount: number): RefundFailure {
  const { latest_charge: charge } = intent;
  const left = charge && typeof charge === "object" ? charge.amount - charge.amount_refunded : amount;
  return code === undefined && amount > left ? "already_refunded" : refundFailure(code);
}
