import type Stripe from "stripe";
import { between, integer, type Keys, listOf, oneOf, type Rule, readAll, text } from "./params";

export const expand = listOf(text(), 20);
export const id = text(255);
export const cardsOnly = listOf(
  oneOf(["card"], ["link", "sepa_debit", "paypal", "us_bank_account", "ideal", "klarna", "bancontact", "eps"]),
);
/** Only immediate capture is implemented. */
export const captured = oneOf(["automatic", "automatic_async"], ["manual"]);

/** A time or a range of times. */
export const created: Rule<number | Stripe.RangeQueryParam> = {
  read: (raw, at) =>
    typeof raw === "string"
      ? integer.read(raw, at)
      : readAll<Stripe.RangeQueryParam>({ gt: integer, gte: integer, lt: integer, lte: integer }, raw, at),
};

/** Parameters of every read of one object. */
export const one: Keys<{ expand?: string[] }> = { expand };

/** No parameters. */
export const nothing: Keys<Record<never, never>> = {};

/** Parameters of every list. */
export const pages = { limit: between(1, 100), starting_after: id, ending_before: id, expand };
