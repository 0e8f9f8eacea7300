/** Currencies that Stripe counts in whole units. */
const wholeUnits = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** Currencies without a minor unit that Stripe still counts in hundredths. */
const wholeInHundredths = new Set(["ISK", "UGX"]);

/** Currencies that Stripe counts in thousandths; the last digit must be 0. */
const thousandths = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);

/** All other card currencies of Stripe. An account's country decides which of them it may use. */
const hundredths = new Set(
  (
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE " +
    "CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK " +
    "LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR " +
    "RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER " +
    "ZAR ZMW"
  ).split(" "),
);

/** Currencies whose amounts may have more than eight digits. */
const longAmounts = new Set(["COP", "HUF", "IDR", "JPY"]);
const maxAmount = 99_999_999;

/**
 * Converts to Stripe's smallest unit of the currency: (1050, "EUR") -> 1050, (105000, "JPY") -> 1050.
 * @param cents hundredths of one unit, in every currency
 * @returns null when Stripe cannot charge it: not a whole number of its units, too large, or an unknown currency
 */
export function toStripeAmount(cents: number, currency: string): number | null {
  if (!Number.isSafeInteger(cents) || cents <= 0) return null;
  const amount = inStripeUnits(cents, currency);
  if (amount === null || (amount > maxAmount && !longAmounts.has(currency))) return null;
  return amount;
}

function inStripeUnits(cents: number, currency: string): number | null {
  if (wholeUnits.has(currency)) return cents % 100 === 0 ? cents / 100 : null;
  if (wholeInHundredths.has(currency)) return cents % 100 === 0 ? cents : null;
  if (thousandths.has(currency)) return cents * 10;
  return hundredths.has(currency) ? cents : null;
}

/**
 * Converts Stripe's amount to hundredths of one unit. Rounds fees in thousandths; all other amounts are exact.
 * @param currency in either case: Stripe writes it in lower case
 */
export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  if (wholeUnits.has(code)) return amount * 100;
  return thousandths.has(code) ? Math.round(amount / 10) : amount;
}
