import type { Subscription } from "./contract";

/** In cents. Mails of before have no `next_charge_amount_cents`. */
export function nextAmount({ next_charge_amount_cents, amount_cents, price_change, next_charge_at }: Subscription) {
  const changed = price_change && next_charge_at && next_charge_at >= price_change.from;
  return next_charge_amount_cents ?? (changed ? price_change.amount_cents : amount_cents);
}
