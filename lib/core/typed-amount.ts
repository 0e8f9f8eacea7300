import { hasThousandths, isCurrency, minorUnitStep } from "./money";

/** What a field accepts, in cents. */
export interface AmountBounds {
  min: number;
  max: number;
}

/** The signs of a currency that may stand before or after an amount, in small letters: "usd", "us$", "$". The longest comes first. */
function signsOf(currency: string): string[] {
  const shown = (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) =>
    new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay })
      .formatToParts(0)
      .filter(({ type }) => type === "currency")
      .map(({ value }) => value),
  );
  const withCountry = shown.map((sign) => `${currency.slice(0, 2)}${sign}`);
  return [currency, ...withCountry, ...shown].map((sign) => sign.toLowerCase()).sort((a, b) => b.length - a.length);
}

function withoutSign(typed: string, currency?: string): string {
  if (!currency || !isCurrency(currency)) return typed;
  const small = typed.toLowerCase();
  for (const sign of signsOf(currency)) {
    if (small.startsWith(sign)) return typed.slice(sign.length).trim();
    if (small.endsWith(sign)) return typed.slice(0, -sign.length).trim();
  }
  return typed;
}

const otherSign = /^(?:\p{L}{0,3}\p{Sc}|\p{L}{3})|(?:\p{L}{0,3}\p{Sc}|\p{L}{3})$/u;

/** Whether it would be an amount if it did not have the sign or code of another currency: "$10" in euros. */
export function isInAnotherCurrency(typed: string, currency: string): boolean {
  const text = typed.trim();
  const [sign] = otherSign.exec(text) ?? [];
  if (sign === undefined || readingsOf(text, currency).length > 0) return false;
  if (!/\p{Sc}/u.test(sign) && !isCurrency(sign.toUpperCase())) return false;
  return readingsOf(text.replace(sign, ""), currency).length > 0;
}

/** Whether the digits are in groups of three, or as in India: "1,234,567", "12,34,567". */
const isGrouped = (text: string): boolean =>
  /^(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[1-9][0-9]?(?:,[0-9]{2})*,[0-9]{3})$/.test(text.replace(/[. ]/g, ","));

/**
 * What a typed amount can mean, in cents, as digits: "1,234.50" and "1.234,50" -> ["123450"]. Accepts thousands separators
 * (also spaces and apostrophes) and the currency's sign. "1,050" has two readings, 1050 and 1.05, because a point
 * and a comma can each be either. A currency without minor unit has only the first. Works on digits, never on floats.
 * @param bounds drops the decimal reading of an ambiguous amount if it is out of bounds. The other reading always stays: an amount
 * that is too large must not be read as a thousandth of it
 * @returns nothing if it is not an amount with at most two decimals
 */
export function readingsOf(typed: string, currency?: string, bounds?: AmountBounds): string[] {
  const text = withoutSign(typed.trim(), currency).replace(/(?<=[0-9])[\s'’](?=[0-9]{3}(?![0-9]))/g, " ");
  if (!/^(?=.*[0-9])[0-9., ]{1,20}$/.test(text) || /[., ]{2}/.test(text)) return [];
  const marks = text.match(/[., ]/g) ?? [];
  const others = marks.slice(0, -1);
  const last = marks.at(-1) ?? ".";
  const [before = "", after = ""] = marks.length > 0 ? splitAt(text, text.lastIndexOf(last)) : [text];
  const isWhole =
    /^[0-9]*$/.test(before) || (new Set(others).size === 1 && !others.includes(last) && isGrouped(before));
  // A third decimal may be a 0.
  const isDecimal = last !== " " && isWhole && /^[0-9]{0,2}0?$/.test(after);
  // "1.234" of a currency with thousandths means these, which cannot be charged.
  const mayBeThousandths = marks.length === 1 && last !== " " && currency !== undefined && hasThousandths(currency);
  const isThousands = new Set(marks).size === 1 && isGrouped(text) && (isDecimal || !mayBeThousandths);
  const cents = (units: string, part: string) =>
    `${units.replace(/[., ]/g, "")}${part.padEnd(2, "0").slice(0, 2)}`.replace(/^0+(?=.)/, "");
  const isOnlyThousands = isThousands && currency !== undefined && minorUnitStep(currency) === 100;
  const readings = [
    ...(isThousands ? [cents(text, "")] : []),
    ...(isDecimal && !isOnlyThousands ? [cents(before, after)] : []),
  ];
  const [, decimal] = readings;
  const isDecimalOut = bounds && decimal && (Number(decimal) < bounds.min || Number(decimal) > bounds.max);
  return isDecimalOut ? readings.slice(0, 1) : readings;
}

const splitAt = (text: string, place: number): [string, string] => [text.slice(0, place), text.slice(place + 1)];

/**
 * The cents of a typed amount.
 * @returns null if it is not an amount, or could be two
 */
export function toCents(typed: string, currency?: string, bounds?: AmountBounds): string | null {
  const [cents = null, ...others] = readingsOf(typed, currency, bounds);
  return others.length === 0 ? cents : null;
}
