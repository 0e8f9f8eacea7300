import { formatMoney } from "@/lib/core/money";
import { includedTax, percentWords } from "@/lib/core/tax";
import type { PayerTexts } from "@/messages/payer/texts";

const brands: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

/** "Visa ending in 4242" */
export function cardWords(t: PayerTexts, brand: string | null, last4: string | null): string | null {
  if (!brand || !last4) return null;
  return t.card(brands[brand] ?? brand, last4);
}

/** "€10.50" */
export const moneyWords = ({ language }: PayerTexts, cents: number, currency: string): string =>
  formatMoney(cents, currency, language);

interface Taxed {
  amount_cents: number;
  currency: string;
  tax_basis_points: number | null;
}

/** The tax that the amount includes, in cents, and its rate in words; null without a tax. */
export function taxIn(
  { language }: PayerTexts,
  { amount_cents, currency, tax_basis_points }: Taxed,
): { percent: string; cents: number } | null {
  if (tax_basis_points === null) return null;
  return {
    percent: percentWords(tax_basis_points, language),
    cents: includedTax(amount_cents, currency, tax_basis_points),
  };
}

/** "Includes 19% tax: €3.04" */
export function taxWords(t: PayerTexts, taxed: Taxed, format = moneyWords): string | null {
  const tax = taxIn(t, taxed);
  return tax && t.tax.included(tax.percent, format(t, tax.cents, taxed.currency));
}

/** The lines of a receipt for an amount with tax: net, tax and total, in cents. Empty without a tax. */
export function taxLines(t: PayerTexts, taxed: Taxed): { name: string; cents: number }[] {
  const tax = taxIn(t, taxed);
  if (!tax) return [];
  return [
    { name: t.tax.net, cents: taxed.amount_cents - tax.cents },
    { name: t.tax.line(tax.percent), cents: tax.cents },
    { name: t.tax.total, cents: taxed.amount_cents },
  ];
}

/** English dates have the day before the month and 24 hours, as nearly everywhere; American ones only for "en-US". */
export const dateFormat = ({ language }: PayerTexts, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options);

/** "21 November 2026" */
export function dayWords(t: PayerTexts, at: Date, timezone: string): string {
  return dateFormat(t, { dateStyle: "long", timeZone: timezone }).format(at);
}

/** "1 – 30 November 2026". @param end the start of the next period */
export function periodWords(t: PayerTexts, start: Date, end: Date, timezone: string): string {
  const format = dateFormat(t, { dateStyle: "long", timeZone: timezone });
  return format.formatRange(start, new Date(Math.max(start.getTime(), end.getTime() - 1)));
}

/** "4242 4242 4242 4242"; 15 digits as American Express groups them. */
export function groupDigits(number: string): string {
  const parts = number.length === 15 ? /^(.{4})(.{6})(.{5})$/.exec(number)?.slice(1) : number.match(/.{1,4}/g);
  return (parts ?? [number]).join(" ");
}

/** "40 seconds", "12 minutes" (rounded up) */
export function durationWords({ limited }: PayerTexts, seconds: number): string {
  if (seconds < 100) return seconds === 1 ? limited.oneSecond : limited.seconds(String(seconds));
  return limited.minutes(String(Math.ceil(seconds / 60)));
}
