import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { badState } from "./errors";
import { addTransaction } from "./transactions";

/** How a bank disputes a charge. An inquiry withdraws nothing. */
export type Disputing = { reason: string; inquiry?: boolean };

/** Stripe's fee for a dispute that withdraws money, in the smallest unit. It is not given back. */
const disputeFee = 1500;
const week = 7 * 86_400;

/** Opens a dispute, in Stripe's order: the object first, then its withdrawal. */
export function openDispute(
  book: Book,
  charge: Stripe.Charge,
  { reason, inquiry = false, amount }: Disputing & { amount?: number },
): Stripe.Dispute {
  const base = template("dispute");
  const dispute: Stripe.Dispute = {
    ...base,
    id: `du_${token(24)}`,
    amount: amount ?? charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: book.now(),
    currency: charge.currency,
    evidence_details: { ...base.evidence_details, due_by: book.now() + week },
    is_charge_refundable: inquiry,
    payment_intent: idOf(charge.payment_intent),
    reason,
    status: inquiry ? "warning_needs_response" : "needs_response",
  };
  const card = dispute.payment_method_details?.card;
  if (card) card.case_type = inquiry ? "inquiry" : "chargeback";
  book.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  book.emit("charge.dispute.created", dispute);
  if (!inquiry) withdraw(book, dispute);
  return dispute;
}

/** Ends a dispute, or moves an open one. A won one gets its money back; an inquiry that needs a response loses it first. */
export function moveDispute(book: Book, id: string, status: Stripe.Dispute.Status): void {
  const dispute = find(book.disputes, "dispute", id);
  const takesMoney = !status.startsWith("warning_") && status !== "prevented";
  if (takesMoney && dispute.balance_transactions.length === 0) withdraw(book, dispute);
  dispute.status = status;
  if (status === "won") reinstate(book, dispute);
  const ended = ["won", "lost", "warning_closed", "prevented"].includes(status);
  book.emit(ended ? "charge.dispute.closed" : "charge.dispute.updated", dispute);
}

function withdraw(book: Book, dispute: Stripe.Dispute): void {
  const { id: source, amount } = dispute;
  const entry = { type: "adjustment", amount: -amount, fee: disputeFee, source, of: dispute } as const;
  dispute.balance_transactions.push(Object.assign(addTransaction(book, entry), { reporting_category: "dispute" }));
  dispute.is_charge_refundable = false;
  book.emit("charge.dispute.funds_withdrawn", dispute);
}

function reinstate(book: Book, dispute: Stripe.Dispute): void {
  const { id: source, amount } = dispute;
  const entry = { type: "adjustment", amount, source, of: dispute } as const;
  dispute.balance_transactions.push(
    Object.assign(addTransaction(book, entry), { reporting_category: "dispute_reversal" }),
  );
  dispute.is_charge_refundable = true;
  book.emit("charge.dispute.funds_reinstated", dispute);
}

/** Refuses a refund of a charge that its bank has taken back, with Stripe's codes. */
export function refuseDisputed(book: Book, charge: Stripe.Charge): void {
  const holding = [...book.disputes.values()].find(
    (dispute) => idOf(dispute.charge) === charge.id && !dispute.is_charge_refundable,
  );
  if (!holding) return;
  const code = holding.status === "lost" ? "charge_disputed" : "refund_disputed_payment";
  throw badState(`The charge ${charge.id} is disputed (${holding.status}).`, { code });
}
