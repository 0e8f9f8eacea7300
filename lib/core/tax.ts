import { minorUnitStep } from "./money";

const wholeBasisPoints = 10_000;

/**
 * The tax that an amount includes, rounded half up to the currency's smallest unit: amount × rate / (100 % + rate). The rest of
 * the amount is the net amount.
 * @param amountCents a multiple of the currency's step, at most 2^31, so that every product is a safe integer
 * @param basisPoints the rate in hundredths of a percent: 1900 is 19 %
 * @returns cents
 */
export function includedTax(amountCents: number, currency: string, basisPoints: number): number {
  const step = minorUnitStep(currency);
  // Half up without fractions: (2a + b) / 2b, rounded down, is a / b, rounded half up.
  const divisor = 2 * (wholeBasisPoints + basisPoints) * step;
  const dividend = 2 * amountCents * basisPoints + divisor / 2;
  return ((dividend - (dividend % divisor)) / divisor) * step;
}

/**
 * Converts a typed rate to the API's form: "7,7" or "7.7 %" -> "7.7".
 * @returns null if it is not a number with at most two decimals
 */
export function toPercent(typed: string): string | null {
  const [, whole, part = ""] = /^([0-9]{1,3})(?:[.,]([0-9]{0,2}))?\s*%?$/.exec(typed.trim()) ?? [];
  return whole === undefined ? null : part === "" ? whole : `${whole}.${part}`;
}

/** "7.7%", formatted for the language. */
export const percentWords = (basisPoints: number, language: string): string =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 }).format(
    basisPoints / wholeBasisPoints,
  );
