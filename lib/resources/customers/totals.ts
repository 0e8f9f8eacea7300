import type { Customer } from "./contract";

/** The currency in which the customer has paid most often first. */
export const mostPaidFirst = (totals: Customer["totals"]): Customer["totals"] =>
  [...totals].sort((a, b) => b.paid_count - a.paid_count || (a.currency < b.currency ? -1 : 1));
