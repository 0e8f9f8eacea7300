import type { Customer } from "./contract";

/** The currency in which the customer has paid most often first. */
export const mostPaidFirst = (totals: Customer["totals"]): Customer["totals"] =>
  [...totals].sort((a, b) => b.paid_count - a.paid_count || (a.currency < b.currency ? -1 : 1));

/** A customer as the exported file has it. */
export function exported(customer: Customer) {
  const sums = (of: "lifetime_cents" | "open_cents" | "overdue_cents") =>
    customer.totals
      .filter((total) => total[of] !== 0)
      .map((total) => `${total.currency} ${(total[of] / 100).toFixed(2)}`)
      .join("; ");
  const [main] = mostPaidFirst(customer.totals);
  return {
    ...customer,
    ...(main && {
      currency: main.currency,
      lifetime_amount: main.lifetime_cents / 100,
      open_amount: main.open_cents / 100,
      overdue_amount: main.overdue_cents / 100,
    }),
    lifetime_value: sums("lifetime_cents"),
    open_balance: sums("open_cents"),
    overdue_balance: sums("overdue_cents"),
  };
}
