import { formatMoney } from "./money";

const units = {
  daily: "a day",
  weekly: "a week",
  monthly: "a month",
  quarterly: "a quarter",
  semiannual: "every 6 months",
  yearly: "a year",
};

/** "€15.00 a month" */
export const priceEach = (price: { amount_cents: number; currency: string; frequency: keyof typeof units }): string =>
  `${formatMoney(price.amount_cents, price.currency)} ${units[price.frequency]}`;
