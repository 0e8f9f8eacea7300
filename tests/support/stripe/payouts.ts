import type Stripe from "stripe";
import { type Book, find, idOf, template, token } from "./books";
import { created, expand, id, pages } from "./common-rules";
import { page } from "./lists";
import type { Keys } from "./params";
import { notImplemented, text } from "./params";

export const transactionList: Keys<Stripe.BalanceTransactionListParams> = {
  ...pages,
  created,
  currency: text(3),
  payout: id,
  source: id,
  type: text(),
};

export const payoutList: Keys<Stripe.PayoutListParams> = {
  ...pages,
  arrival_date: notImplemented,
  created,
  destination: notImplemented,
  status: text(),
};

export const balanceGet: Keys<Stripe.BalanceRetrieveParams> = { expand };

/** GET /v1/balance. What was paid out has left it. */
export function readBalance(book: Book): Stripe.Balance {
  const sums = new Map<string, { available: number; pending: number }>();
  for (const { currency, net, available_on } of book.transactions.values()) {
    const sum = sums.get(currency) ?? { available: 0, pending: 0 };
    sum[available_on <= book.now() ? "available" : "pending"] += net;
    sums.set(currency, sum);
  }
  const of = (kind: "available" | "pending") =>
    [...sums].map(([currency, sum]) => ({ amount: sum[kind], currency, source_types: { card: sum[kind] } }));
  return { ...template("balance"), available: of("available"), pending: of("pending") };
}

/** GET /v1/balance_transactions. */
export const listTransactions = (book: Book, params: Stripe.BalanceTransactionListParams) =>
  page(
    book.transactions,
    params,
    "/v1/balance_transactions",
    (row) =>
      (!params.payout || (book.paidBy.get(row.id) === params.payout && isReconciled(book, params.payout))) &&
      (!params.type || row.type === params.type) &&
      (!params.source || idOf(row.source) === params.source),
  );

/** Stripe lists the transactions of a payout some time after it has created it. */
const isReconciled = (book: Book, payoutId: string): boolean =>
  book.payouts.get(payoutId)?.reconciliation_status !== "in_progress";

/** Adds a change of the balance that is no charge or refund. */
export function adjust(
  book: Book,
  change: Pick<Stripe.BalanceTransaction, "type" | "reporting_category" | "currency"> & {
    amount: number;
    source?: string;
    availableOn?: number;
  },
): Stripe.BalanceTransaction {
  const { availableOn, source, ...rest } = change;
  const transaction: Stripe.BalanceTransaction = {
    ...template("balance_transaction"),
    ...rest,
    id: `txn_${token(24)}`,
    created: book.now(),
    available_on: availableOn ?? book.now(),
    fee: 0,
    net: change.amount,
    source: source ?? null,
    status: "available",
  };
  book.transactions.set(transaction.id, transaction);
  return transaction;
}

/** Pays out everything that no payout has paid yet, in each currency with a positive sum. */
export function payOut(book: Book): Stripe.Payout[] {
  const unpaid = [...book.transactions.values()].filter(({ id, type }) => !book.paidBy.has(id) && type !== "payout");
  const made: Stripe.Payout[] = [];
  for (const currency of new Set(unpaid.map((row) => row.currency))) {
    const rows = unpaid.filter((row) => row.currency === currency);
    const amount = rows.reduce((sum, { net }) => sum + net, 0);
    if (amount <= 0) continue;
    const payoutId = `po_${token(24)}`;
    const taken = {
      type: "payout",
      reporting_category: "payout",
      currency,
      amount: -amount,
      source: payoutId,
    } as const;
    const transaction = adjust(book, taken);
    for (const { id } of [...rows, transaction]) book.paidBy.set(id, payoutId);
    const payout: Stripe.Payout = {
      ...template("payout"),
      id: payoutId,
      amount,
      currency,
      created: book.now(),
      arrival_date: book.now() + 2 * 86_400,
      balance_transaction: transaction.id,
      status: "in_transit",
    };
    book.payouts.set(payoutId, payout);
    made.push(payout);
  }
  return made;
}

export function setReconciliation(book: Book, payoutId: string, status: Stripe.Payout["reconciliation_status"]): void {
  find(book.payouts, "payout", payoutId).reconciliation_status = status;
}

/** Ends a payout: the bank has the money, or has sent it back. @param trace the bank's reference, which Stripe often learns later */
export function endPayout(
  book: Book,
  payoutId: string,
  status: "in_transit" | "paid" | "failed",
  trace: string | null = null,
): void {
  const payout = find(book.payouts, "payout", payoutId);
  payout.status = status;
  payout.trace_id = { status: trace ? "supported" : "pending", value: trace };
  if (status !== "failed") return;
  const { amount, currency } = payout;
  const back = { type: "payout_failure", reporting_category: "payout_reversal", currency, amount } as const;
  payout.failure_code = "account_closed";
  payout.failure_balance_transaction = adjust(book, { ...back, source: payoutId }).id;
}
