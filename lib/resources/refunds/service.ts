import { type Actor, tenantOf } from "@/lib/auth/actor";
import { db } from "@/lib/core/db";
import { ApiError, ValidationError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { minorUnitStep } from "@/lib/core/money";
import { manualGateway } from "@/lib/gateways/gateway";
import type { Payment } from "@/lib/generated/prisma/client";
import { notWholeUnits } from "@/lib/http/fields";
import { assertCompared } from "@/lib/ledger/compare";
import { undecided } from "@/lib/ledger/dispute";
import { gatewayOf } from "@/lib/ledger/gateways";
import { beginRefund, performRefund, reconcileRefunds, recordManualRefund } from "@/lib/ledger/refund";
import { newAnnotations } from "@/lib/resources/annotations/resource";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { Refund, RefundInput } from "./contract";
import { refunds } from "./resource";

/**
 * Refunds a link's payment in whole or in part. Reserves the amount, then calls the gateway outside any transaction. For a manual
 * payment it only records that staff returned the money. A repeated operation finds its first refund.
 * @param input amount in cents; null: all that is left.
 * @param operation names the refund.
 * @throws ApiError not_found, link_not_paid, nothing_to_refund, payment_disputed, account_refused, gateway_away; ValidationError for more than is
 * left
 */
export async function refundPaymentLink(
  actor: Actor,
  linkId: string,
  input: RefundInput,
  operation: string,
): Promise<Refund> {
  const link = await paymentLinks.get(db, actor, linkId);
  const id = `ref_${operation}`;
  const payment = await db.payment.findFirst({
    where: { payment_link_id: linkId, status: "succeeded", ...tenantOf(actor) },
  });
  if (!payment) throw new ApiError("link_not_paid");
  if (await reconcileRepeated(actor, id)) return refunds.get(db, actor, id);

  const refuse = (payment: Payment): void => {
    const left = refundableCents(payment);
    if (left <= 0) throw new ApiError("nothing_to_refund");
    const tooMuch = input.amount !== null && input.amount > left;
    if (tooMuch) throw new ValidationError({ amount: [`The amount must not be greater than ${left}.`] });
  };
  if (input.amount !== null && input.amount % minorUnitStep(link.currency) !== 0) {
    throw new ValidationError({ amount: [notWholeUnits] });
  }
  refuse(payment);
  const byHand = payment.gateway === manualGateway;
  if (!byHand) {
    const gateway = await gatewayOf(payment);
    if (!gateway.supportsAmount(input.amount ?? refundableCents(payment), link.currency))
      throw new ValidationError({ amount: ["The gateway cannot return this amount in this currency."] });
    await assertCompared(gateway);
  }

  const { amount: amountCents, reason } = input;
  const refund = { id, paymentId: payment.id, amountCents, reason, annotations: newAnnotations(input) };
  const begun = await (byHand ? recordManualRefund(refund) : beginRefund(refund));
  if (!begun && !(await reconcileRepeated(actor, id))) {
    const now = await db.payment.findUniqueOrThrow({ where: { id: payment.id } });
    refuse(now);
    // The refund that reserved the amount has just failed.
    throw new ApiError("conflict", "Other refunds of this payment are under way. Try again.");
  }
  if (begun && !byHand) await performRefund(id);
  return refunds.get(db, actor, id);
}

/**
 * What can be refunded, in cents: nothing while a bank decides a dispute, and never what a lost one has taken.
 * @throws ApiError payment_disputed
 */
function refundableCents(payment: Payment): number {
  const { amount_cents, refunded_cents, refund_pending_cents, disputed_cents, dispute_status } = payment;
  if (undecided.some((status) => status === dispute_status)) throw new ApiError("payment_disputed");
  const left = amount_cents - refunded_cents - refund_pending_cents;
  if (left > 0 && left <= disputed_cents)
    throw new ApiError(
      "payment_disputed",
      "The payer has this money already: the dispute is lost. A refund would return it twice.",
    );
  return left - disputed_cents;
}

/** Whether this operation already has its refund. Reconciles one that is pending. */
async function reconcileRepeated(actor: Actor, id: string): Promise<boolean> {
  const found = await db.refund.findFirst({ where: { id, ...tenantOf(actor) }, select: { status: true } });
  if (found?.status === "pending") {
    const reconciled = reconcileRefunds({ refundId: id });
    await reconciled.catch((err: unknown) => log.warn({ err, refund: id }, "could not ask the gateway"));
  }
  return found !== null;
}
