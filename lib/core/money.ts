import * as iso4217 from "dinero.js/currencies";

/** Decimals that Paydesk accepts and shows: at most two, because amounts are hundredths. */
const digits = new Map<string, 0 | 2>(
  // Bulgaria replaced the lev with the euro on 1 January 2026; the library's list is older.
  Object.values(iso4217)
    .filter(({ code }) => code !== "BGN")
    .map(({ code, base, exponent }) => {
      // The ariary (MGA) and the ouguiya (MRU) divide into fifths, which ISO 4217 lists with two decimals.
      const decimals = base === 10 ? exponent : 2;
      return [code, decimals === 0 ? 0 : 2];
    }),
);

export const currencies: readonly string[] = [...digits.keys()].sort();

/** Currencies with thousandths (KWD, ...), in which people write three decimals. */
const withThousandths = new Set<string>(
  Object.values(iso4217)
    .filter(({ exponent }) => exponent === 3)
    .map(({ code }) => code),
);

export const hasThousandths = (currency: string): boolean => withThousandths.has(currency);

export function isCurrency(code: string): boolean {
  return digits.has(code);
}

/**
 * The step of amounts in cents: 100 for a currency without a minor unit (JPY, KRW, ...), else 1. Three-decimal currencies
 * (KWD, ...) are charged in hundredths. 100 cents are one unit in every currency.
 */
export function minorUnitStep(currency: string): 1 | 100 {
  return digits.get(currency) === 0 ? 100 : 1;
}

/** Bounds of the amount of a payment link or a package, in cents. */
export const amountBounds = { min: 500, max: 3_000_000 };

/** Cents as currency units for the API: 1050 -> 10.5. Exact to two decimals below 2^53 cents. */
export function toUnits(cents: number): number {
  return cents / 100;
}

/** Cached: making an Intl.NumberFormat costs more than rendering a whole page. */
const formats = new Map<string, Intl.NumberFormat>();

function format(currency: string, locale: string, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${currency} ${decimals}`;
  let known = formats.get(key);
  if (!known) {
    known = new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      // Intl's default digits differ from ISO 4217 for some currencies (IQD, MGA, ...).
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formats.set(key, known);
  }
  return known;
}

/**
 * Formats an amount for people: (1050, "EUR") -> "€10.50", (105000, "JPY") -> "¥1,050".
 * @param cents hundredths of one unit, whatever the currency.
 * @param locale a BCP 47 tag, or several; English by default.
 */
export function formatMoney(cents: number, currency: string, locale = "en"): string {
  // Shows a part of a unit even where the currency has none: the screen never shows less than the charge.
  const decimals = digits.get(currency) === 0 && cents % 100 === 0 ? 0 : 2;
  return format(currency, locale, decimals).format(cents / 100);
}
