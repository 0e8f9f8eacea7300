import { currencies } from "./money";

export const commonCurrencies = ["EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "DKK", "NOK", "PLN", "INR"];
/** Units of account, which nobody pays with. */
const unpayable = new Set(["BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW", "XAD"]);
export const payableCurrencies = currencies.filter((code) => !unpayable.has(code));

/** The common ones first, then all others that people pay with. */
export const currencyChoices: readonly string[] = [...new Set([...commonCurrencies, ...payableCurrencies])];
