import { currencies } from "./money";

export const commonCurrencies = ["EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "DKK", "NOK", "PLN", "INR"];
/** Codes of funds and of units of account, in which no payer pays. */
const unpayable = new Set(["BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW", "XAD"]);
export const payableCurrencies = currencies.filter((code) => !unpayable.has(code));

/** The common ones first, the units of account last: the API accepts them. */
export const currencyChoices: readonly string[] = [
  ...new Set([...commonCurrencies, ...payableCurrencies, ...currencies]),
];
