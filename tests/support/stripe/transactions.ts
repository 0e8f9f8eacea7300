import type Stripe from "stripe";
import { type Book, template, token } from "./books";
import { feeOf, rateBetween } from "./money";

/** Adds a transaction to the account's balance, in the currency in which the account settles. Only charges and disputes have a fee. */
export function addTransaction(
  book: Book,
  entry: {
    type: "charge" | "refund" | "refund_failure" | "adjustment";
    /** In the currency of `of`. */
    amount: number;
    source: string;
    of: { currency: string };
    /** A dispute's. */
    fee?: number;
  },
): Stripe.BalanceTransaction {
  const { source, type, of } = entry;
  const currency = book.settlesIn ?? of.currency;
  const exchange_rate = currency === of.currency ? null : rateBetween(of.currency, currency, book.transactions.size);
  const amount = Math.round(entry.amount * (exchange_rate ?? 1));
  const fee = type === "charge" ? feeOf(amount) : (entry.fee ?? 0);
  const transaction: Stripe.BalanceTransaction = {
    ...template("balance_transaction"),
    id: `txn_${token(24)}`,
    created: book.now(),
    available_on: book.now() + 2 * 86_400,
    amount,
    fee,
    net: amount - fee,
    currency,
    exchange_rate,
    source,
    status: "pending",
    type,
    reporting_category: type,
    fee_details: fee
      ? [{ amount: fee, application: null, currency, description: "Processing fees", type: "stripe_fee" }]
      : [],
  };
  book.transactions.set(transaction.id, transaction);
  return transaction;
}
