import * as iso4217 from "dinero.js/currencies";

/** Digits behind the decimal point that this product takes and shows; at most two, because amounts are hundredths. */
const digits = new Map<string, 0 | 2>(
  // The lev ended on 1 January 2026, when Bulgaria took the euro; the library's list is older.
  Object.values(iso4217)
    .filter(({ code }) => code !== "BGN")
    .map(({ code, base, exponent }) => {
      // The ariary (MGA) and the ouguiya (MRU) divide into fifths, which ISO 4217 lists with two decimals.
      const decimals = base === 10 ? exponent : 2;
      return [code, decimals === 0 ? 0 : 2];
    }),
);

/** The active ISO 4217 codes, uppercase, in alphabetical order. */
export const currencies: readonly string[] = [...digits.keys()].sort();

/** Whether `code` is an active ISO 4217 code, in uppercase. */
export function isCurrency(code: string): boolean {
  return digits.has(code);
}

/**
 * What an amount in cents must be a multiple of: 100 where the currency has no minor unit (JPY, KRW, ...), else 1.
 * Three-decimal currencies (KWD, ...) are taken in hundredths. 100 cents are one unit in every currency.
 */
export function minorUnitStep(currency: string): 1 | 100 {
  return digits.get(currency) === 0 ? 100 : 1;
}

/** Cents as currency units for the wire: 1050 -> 10.5. Exact to two decimals for every amount below 2^53 cents. */
export function toUnits(cents: number): number {
  return cents / 100;
}

/** Building an Intl.NumberFormat costs more than a whole page; there are few of them. */
const formats = new Map<string, Intl.NumberFormat>();

function format(currency: string, locale: string, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${decimals}`;
  let known = formats.get(key);
  if (!known) {
    known = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      // Intl's own digits differ from ISO 4217 for some currencies (IQD, MGA, ...): say them.
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(key, known);
  }
  return known;
}

/**
 * An amount for people: (1050, "EUR") -> "€10.50", (105000, "JPY") -> "¥1,050".
 * @param cents hundredths of one unit, whatever the currency.
 * @param locale a BCP 47 tag, or several; English by default.
 */
export function formatMoney(cents: number, currency: string, locale = "en"): string {
  // A part of a unit is shown even where the currency has none: never less on the screen than what is charged.
  const decimals = digits.get(currency) === 0 && cents % 100 === 0 ? 0 : 2;
  return format(currency, locale, decimals).format(cents / 100);
}
