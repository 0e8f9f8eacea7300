import type { Book } from "./books";
import { badParameter } from "./errors";

type Loose = { [field: string]: unknown };

/** The expandable fields of each object type, and the types that they refer to. */
const expandable: Record<string, Record<string, string>> = {
  "checkout.session": {
    payment_intent: "payment_intent",
    setup_intent: "setup_intent",
    customer: "customer",
    line_items: "list",
  },
  payment_intent: { latest_charge: "charge", payment_method: "payment_method", customer: "customer" },
  charge: { balance_transaction: "balance_transaction", payment_intent: "payment_intent", customer: "customer" },
  refund: {
    charge: "charge",
    payment_intent: "payment_intent",
    balance_transaction: "balance_transaction",
    failure_balance_transaction: "balance_transaction",
  },
  dispute: { charge: "charge", payment_intent: "payment_intent" },
  setup_intent: { payment_method: "payment_method", customer: "customer" },
  payment_method: { customer: "customer" },
  payout: { balance_transaction: "balance_transaction", failure_balance_transaction: "balance_transaction" },
  balance_transaction: { source: "charge" },
};

/** Refuses fields that are not expandable, before the request has an effect. */
export function checkExpand(kind: string, list: boolean, paths: readonly string[]): void {
  paths.forEach((path, index) => {
    const parts = path.split(".");
    const param = `expand[${index}]`;
    if (parts.length > 4) throw badParameter("No more than 4 levels can be expanded.", param);
    if (list && parts.shift() !== "data") throw badParameter(`This property cannot be expanded (${path}).`, param);
    let at: string | undefined = kind;
    for (const part of parts) {
      at = expandable[at]?.[part];
      if (!at) throw badParameter(`This property cannot be expanded (${part}).`, param);
    }
  });
}

/** A copy of the object with the fields in `paths` expanded. */
export function expanded(book: Book, object: object, paths: readonly string[]): unknown {
  const copy: unknown = structuredClone(object);
  for (const path of paths) descend(book, copy, path.split("."));
  return copy;
}

function descend(book: Book, at: unknown, [field, ...rest]: string[]): void {
  if (!isLoose(at) || field === undefined) return;
  if (field === "data" && Array.isArray(at.data)) {
    for (const row of at.data) descend(book, row, rest);
    return;
  }
  const id = field === "line_items" ? at.id : at[field];
  if (typeof id === "string") at[field] = structuredClone(field === "line_items" ? book.lines.get(id) : book.any(id));
  descend(book, at[field], rest);
}

function isLoose(value: unknown): value is Loose {
  return typeof value === "object" && value !== null;
}
