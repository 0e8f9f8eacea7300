import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { readMetadata } from "./customers";
import { refuseDisputed } from "./disputes";
import { badParameter, badState } from "./errors";
import { cardOf } from "./methods";
import { addTransaction } from "./transactions";

/** POST /v1/refunds. Refuses more than the unrefunded rest. */
export function createRefund(book: Book, params: Stripe.RefundCreateParams): Stripe.Refund {
  const charge = chargeOf(book, params);
  if (params.amount !== undefined && params.amount < 1) {
    throw badParameter("Invalid positive integer", "amount", "parameter_invalid_integer");
  }
  if (charge.refunded) {
    throw badState(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  refuseDisputed(book, charge);
  const left = charge.amount - charge.amount_refunded;
  const amount = params.amount ?? left;
  if (amount > left) {
    throw badState(`Refund amount (${amount}) is greater than what is left of the charge (${left}).`, {
      param: "amount",
    });
  }
  const method = find(book.methods, "PaymentMethod", charge.payment_method ?? "");
  const id = `re_${token(24)}`;
  const transaction = addTransaction(book, { type: "refund", amount: -amount, source: id, of: charge });
  const refund: Stripe.Refund = {
    ...template("refund"),
    id,
    amount,
    created: book.now(),
    currency: charge.currency,
    charge: charge.id,
    payment_intent: idOf(charge.payment_intent),
    payment_method: method.id,
    customer: idOf(charge.customer),
    balance_transaction: transaction.id,
    reason: params.reason ?? null,
    metadata: readMetadata(params.metadata),
    status: cardOf(book, method).card.refund === "pending" ? "pending" : "succeeded",
  };
  book.refunds.set(id, refund);
  giveBack(charge, amount);
  book.emit("refund.created", refund);
  book.emit("charge.refunded", charge);
  return refund;
}

/** Settles refunds by their cards, all or those of a payment intent: pending ones succeed, others fail. */
export function settleRefunds(book: Book, paymentIntent?: string): void {
  for (const refund of book.refunds.values()) {
    if (paymentIntent !== undefined && idOf(refund.payment_intent) !== paymentIntent) continue;
    const charge = find(book.charges, "charge", idOf(refund.charge) ?? "");
    const ending = book.cards.get(charge.payment_method ?? "")?.card.refund;
    if (refund.status === "pending" && charge.disputed) {
      failRefund(book, refund, charge, "charge_for_pending_refund_disputed");
    } else if (refund.status === "pending") {
      refund.status = "succeeded";
      book.emit("refund.updated", refund);
      book.emit("charge.refund.updated", refund);
    } else if (ending === "fails" && refund.status === "succeeded") {
      failRefund(book, refund, charge, "expired_or_canceled_card");
    }
  }
}

function failRefund(book: Book, refund: Stripe.Refund, charge: Stripe.Charge, reason: string): void {
  const entry = { type: "refund_failure", amount: refund.amount, source: refund.id, of: refund } as const;
  refund.status = "failed";
  refund.failure_reason = reason;
  refund.failure_balance_transaction = addTransaction(book, entry).id;
  giveBack(charge, -refund.amount);
  book.emit("refund.updated", refund);
  book.emit("charge.refund.updated", refund);
  book.emit("refund.failed", refund);
  book.emit("charge.updated", charge);
}

function giveBack(charge: Stripe.Charge, amount: number): void {
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
}

function chargeOf(book: Book, params: Stripe.RefundCreateParams): Stripe.Charge {
  if (params.charge && params.payment_intent) {
    throw badParameter("Give only one of charge and payment_intent.", "charge", "parameters_exclusive");
  }
  if (params.charge) {
    const charge = find(book.charges, "charge", params.charge, "charge");
    if (!charge.paid) throw badState(`Charge ${charge.id} took no money.`, { code: "charge_not_refundable" });
    return charge;
  }
  if (!params.payment_intent)
    throw badParameter("Give one of charge and payment_intent.", "payment_intent", "parameter_missing");
  const intent = find(book.intents, "payment_intent", params.payment_intent, "payment_intent");
  const charge = book.charges.get(idOf(intent.latest_charge) ?? "");
  if (!charge?.paid) throw badState(`This PaymentIntent (${intent.id}) has no successful charge to refund.`);
  return charge;
}
