import { formatMoney } from "@/lib/core/money";
import { includedTax, percentWords } from "@/lib/core/tax";

const brands: Record<string, string> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" };

/** "Visa ending in 4242" */
export function cardWords(brand: string | null, last4: string | null): string | null {
  if (!brand || !last4) return null;
  return `${brands[brand] ?? brand} ending in ${last4}`;
}

interface Taxed {
  amount_cents: number;
  currency: string;
  tax_basis_points: number | null;
}

/** "Includes 19% tax: €3.04" */
export function taxWords({ amount_cents, currency, tax_basis_points }: Taxed): string | null {
  if (tax_basis_points === null) return null;
  const tax = includedTax(amount_cents, currency, tax_basis_points);
  return `Includes ${percentWords(tax_basis_points)} tax: ${formatMoney(tax, currency)}`;
}

/** The lines of a receipt for an amount with tax: net, tax, and total, in cents. */
export function taxLines({ amount_cents, currency, tax_basis_points }: Taxed): { name: string; cents: number }[] {
  if (tax_basis_points === null) return [];
  const tax = includedTax(amount_cents, currency, tax_basis_points);
  return [
    { name: "Net amount", cents: amount_cents - tax },
    { name: `Tax (${percentWords(tax_basis_points)})`, cents: tax },
    { name: "Total", cents: amount_cents },
  ];
}

/** "November 21, 2026" */
export function dayWords(at: Date, timezone: string): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: timezone }).format(at);
}

/** "November 1 – 30, 2026". @param end the start of the next period */
export function periodWords(start: Date, end: Date, timezone: string): string {
  const format = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: timezone });
  return format.formatRange(start, new Date(Math.max(start.getTime(), end.getTime() - 1)));
}

/** "4242 4242 4242 4242"; 15 digits as American Express groups them. */
export function groupDigits(number: string): string {
  const parts = number.length === 15 ? /^(.{4})(.{6})(.{5})$/.exec(number)?.slice(1) : number.match(/.{1,4}/g);
  return (parts ?? [number]).join(" ");
}

/** "40 seconds", "12 minutes" (rounded up) */
export function durationWords(seconds: number): string {
  if (seconds < 100) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
