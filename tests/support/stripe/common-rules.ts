import type Stripe from "stripe";
import { between, integer, type Keys, listOf, oneOf, type Rule, readAll, text } from "./params";

export const expand = listOf(text(), 20);
export const id = text(255);
export const cardsOnly = listOf(
  oneOf(["card"], ["link", "sepa_debit", "paypal", "us_bank_account", "ideal", "klarna", "bancontact", "eps"]),
);
/** Money is taken at once: the fake has no authorizations that wait for their capture. */
export const captured = oneOf(["automatic", "automatic_async"], ["manual"]);

/** A moment, or a range of them. */
export const created: Rule<number | Stripe.RangeQueryParam> = {
  read: (raw, at) =>
    typeof raw === "string"
      ? integer.read(raw, at)
      : readAll<Stripe.RangeQueryParam>({ gt: integer, gte: integer, lt: integer, lte: integer }, raw, at),
};

/** What every read of one object takes. */
export const one: Keys<{ expand?: string[] }> = { expand };

/** What an address takes that takes nothing. */
export const nothing: Keys<Record<never, never>> = {};

/** What every list takes. */
export const pages = { limit: between(1, 100), starting_after: id, ending_before: id, expand };
