import type Stripe from "stripe";
import type { DisputedPayment, DisputeMovement, KnownDispute } from "@/lib/gateways/gateway";
import { fromStripeAmount } from "./amounts";
import { disputeReason, disputeStatus } from "./reasons";

export async function disputesOf(stripe: Stripe, chargeRef: string): Promise<KnownDispute[]> {
  const known: KnownDispute[] = [];
  for await (const row of stripe.disputes.list({ payment_intent: chargeRef, limit: 100 })) known.push(read(row));
  return known;
}

/** One list of the account's disputes, instead of one call for each payment. */
export async function disputedSince(stripe: Stripe, since: Date): Promise<DisputedPayment[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) };
  const found: DisputedPayment[] = [];
  for await (const row of stripe.disputes.list({ created, limit: 100, expand: ["data.payment_intent"] })) {
    const key = typeof row.payment_intent === "object" ? row.payment_intent?.metadata.paydesk_payment : undefined;
    if (key) found.push({ key, ref: row.id });
  }
  return found;
}

function read(dispute: Stripe.Dispute): KnownDispute {
  const { id: ref, amount, currency, evidence_details: evidence } = dispute;
  return {
    ref,
    amountCents: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    reason: disputeReason(dispute.reason),
    status: disputeStatus(dispute.status),
    respondBy: evidence.due_by ? new Date(evidence.due_by * 1000) : null,
    openedAt: new Date(dispute.created * 1000),
    movements: dispute.balance_transactions.map(movementOf),
  };
}

/** A withdrawal is negative; its fee is on top of it. A reinstatement is positive. */
function movementOf({ id: ref, amount, fee, currency }: Stripe.BalanceTransaction): DisputeMovement {
  return {
    ref,
    kind: amount > 0 ? "returned" : "withdrawn",
    amountCents: fromStripeAmount(Math.abs(amount), currency),
    feeCents: fromStripeAmount(fee, currency),
    currency: currency.toUpperCase(),
  };
}
