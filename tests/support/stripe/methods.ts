import { createHash } from "node:crypto";
import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import type { TestCard } from "./cards";
import { badState } from "./errors";

/** The card form's values. */
export type CardForm = { number: string; expMonth?: number; expYear?: number; cvc?: string; name?: string };

/** Creates a payment method without a customer. */
export function createMethod(book: Book, card: TestCard, form: CardForm): Stripe.PaymentMethod {
  const base = template("payment_method");
  if (!base.card) throw new Error("The example payment method is no card.");
  const method: Stripe.PaymentMethod = {
    ...base,
    id: `pm_${token(24)}`,
    created: book.now(),
    billing_details: { ...base.billing_details, name: form.name ?? null },
    card: {
      ...base.card,
      brand: card.brand,
      display_brand: card.brand === "amex" ? "american_express" : card.brand,
      networks: { available: [card.brand], preferred: null },
      last4: card.number.slice(-4),
      exp_month: form.expMonth ?? 12,
      exp_year: form.expYear ?? new Date(book.clock()).getUTCFullYear() + 5,
      fingerprint: createHash("sha256")
        .update(book.account.id + card.number)
        .digest("hex")
        .slice(0, 16),
    },
  };
  book.methods.set(method.id, method);
  book.cards.set(method.id, { card, confirmed: false });
  return method;
}

/** Attaches a card to a customer. */
export function attachMethod(book: Book, method: Stripe.PaymentMethod, customer: string): void {
  method.customer = customer;
  book.emit("payment_method.attached", method);
}

/** Detaches a card: it can never be charged again. */
export function detachMethod(book: Book, id: string): Stripe.PaymentMethod {
  const method = find(book.methods, "PaymentMethod", id);
  if (!idOf(method.customer)) {
    throw badState("The payment method is attached to no customer: there is nothing to detach.");
  }
  method.customer = null;
  book.emit("payment_method.detached", method);
  return method;
}

export function cardOf(book: Book, method: Stripe.PaymentMethod): { card: TestCard; confirmed: boolean } {
  return find(book.cards, "card", method.id);
}
