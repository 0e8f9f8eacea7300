import { badParameter } from "./errors";

const currencies = new Set(
  (
    "aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny " +
    "cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd " +
    "jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad " +
    "ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl " +
    "thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw"
  ).split(" "),
);
const threeDecimals = new Set(["bhd", "jod", "kwd", "omr", "tnd"]);

/** Stripe's smallest charges (docs.stripe.com/currencies), for an account that is paid out in the same currency. */
const least: Record<string, number> = {
  ...{ usd: 50, aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30 },
  ...{ hkd: 400, huf: 17_500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200 },
  ...{ sek: 300, sgd: 50, thb: 1000 },
};

/** The currency in lower case. Refuses unknown ones. */
export function readCurrency(value: string, at = "currency"): string {
  const currency = value.toLowerCase();
  if (!currencies.has(currency)) throw badParameter(`Invalid currency: ${value}`, at);
  return currency;
}

/** Refuses an amount (in the currency's smallest unit) that Stripe cannot charge. */
export function checkAmount(amount: number, currency: string, at = "amount"): void {
  if (amount < 1) throw badParameter("This value must be greater than or equal to 1.", at, "parameter_invalid_integer");
  if (amount > 99_999_999) throw badParameter("The amount must be at most 99999999.", at, "amount_too_large");
  if (amount < (least[currency] ?? 1)) {
    throw badParameter(`The amount must be at least ${least[currency]} (${currency}).`, at, "amount_too_small");
  }
  if (threeDecimals.has(currency) && amount % 10 !== 0) {
    throw badParameter("The last digit of an amount in a three-decimal currency must be 0.", at);
  }
}

/** Euros for one unit of a currency. */
const euros: Record<string, number> = { eur: 1, usd: 0.92, gbp: 1.17, chf: 1.05, jpy: 0.0061, idr: 0.000057 };
const unitOf = (currency: string): number => (currency === "jpy" ? 1 : threeDecimals.has(currency) ? 1000 : 100);

/** The exchange rate between amounts in the smallest units. `turn` makes it move from one transaction to the next. */
export function rateBetween(from: string, to: string, turn: number): number {
  const [sold, bought] = [euros[from], euros[to]];
  if (!sold || !bought) throw new Error(`The fake has no exchange rate from ${from} to ${to}.`);
  const rate = ((sold / bought) * unitOf(to)) / unitOf(from);
  return Number((rate * (1 + (turn % 7) / 1000)).toPrecision(6));
}

/** Stripe's fee: 2.9 % and 30 of the smallest unit. */
export const feeOf = (amount: number): number => Math.round(amount * 0.029) + 30;
