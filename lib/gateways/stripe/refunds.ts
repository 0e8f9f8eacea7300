import type Stripe from "stripe";
import { log } from "@/lib/core/log";
import type { KnownRefund, RefundRequest, RefundResult } from "@/lib/gateways/gateway";
import type { RefundFailure } from "@/lib/gateways/reasons";
import { fromStripeAmount, toStripeAmount } from "./amounts";
import { sendCounted } from "./counted";
import { loggableFields, refusalOf } from "./errors";
import { bookedOf } from "./intents";
import { refundFailure } from "./reasons";

const bookings = ["balance_transaction", "failure_balance_transaction"];

/** Refunds once per key. Searches existing refunds first, since Stripe forgets idempotency keys after a day. */
export async function refund(stripe: Stripe, request: RefundRequest): Promise<RefundResult> {
  const { gatewayKey, chargeRef, currency } = request;
  const amount = toStripeAmount(request.amountCents, currency);
  // Certain: such an amount can never be sent.
  if (amount === null) return { status: "failed", ref: null, failure: "processing_error", booked: null };
  for await (const earlier of list(stripe, chargeRef)) {
    if (earlier.metadata?.paydesk_refund !== gatewayKey) continue;
    if (earlier.amount !== amount) throw new Error(`The key ${gatewayKey} was used for another amount.`);
    return resultOf(earlier);
  }
  const intent = await stripe.paymentIntents.retrieve(chargeRef, { expand: ["latest_charge"] });
  if (intent.currency.toUpperCase() !== currency) throw new Error(`${chargeRef} was not made in ${currency}.`);
  const metadata = { paydesk_payment: intent.metadata.paydesk_payment ?? "", paydesk_refund: gatewayKey };
  try {
    const created = await sendCounted(stripe, gatewayKey, () =>
      stripe.refunds.create(
        { payment_intent: chargeRef, amount, metadata, expand: bookings },
        { idempotencyKey: gatewayKey },
      ),
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
