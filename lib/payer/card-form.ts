import { cardExpiresAt } from "@/lib/core/card-expiry";
import { clock } from "@/lib/core/clock";
import type { CardInput, CardRefusal } from "@/lib/gateways/gateway";
import type { Payable } from "./payable";

export type CardField = "number" | "expiry" | "cvc" | "holder";

export type CardErrors = Partial<Record<CardField, string>>;

/** The texts of `CardErrors` in the payer's language (messages/payer). */
export interface CardWords {
  numberMissing: string;
  numberWrong: string;
  expiryMissing: string;
  expiryWrong: string;
  expired: string;
  yearWrong: string;
  cvcMissing: string;
  cvcWrong: string;
  cvcLength(digits: string): string;
  testCardsOnly: string;
}

type ParsedCard = { ok: true; card: CardInput } | { ok: false; errors: CardErrors };

/**
 * Parses the card of a posted form. No message repeats the input.
 * @param refuse the gateway's own check
 */
export function parseCard(
  form: URLSearchParams,
  refuse: (card: CardInput) => CardRefusal | null,
  words: CardWords,
): ParsedCard {
  const errors: CardErrors = {};
  const number = digitsOf(form.get("number"));
  if (number === "") errors.number = words.numberMissing;
  else if (!/^\d{12,19}$/.test(number) || !luhn(number)) {
    errors.number = words.numberWrong;
  }
  const expiry = parseExpiry(form.get("expiry") ?? "", words);
  if (typeof expiry === "string") errors.expiry = expiry;
  const cvc = digitsOf(form.get("cvc"));
  if (cvc === "") errors.cvc = words.cvcMissing;
  else if (!/^\d{3,4}$/.test(cvc)) errors.cvc = words.cvcWrong;
  if (typeof expiry === "string" || Object.keys(errors).length > 0) return { ok: false, errors };
  const card = { number, cvc, ...expiry };
  const refusal = refuse(card);
  return refusal ? { ok: false, errors: refusalErrors(refusal, words) } : { ok: true, card };
}

const refusalErrors = (refusal: CardRefusal, words: CardWords): CardErrors =>
  refusal.field === "cvc" ? { cvc: words.cvcLength(String(refusal.digits)) } : { number: words.testCardsOnly };

/** The values to show again in a form with errors. Drops any value that could contain a card number. */
export function safeFieldsOf(form: URLSearchParams): { expiry: string; holder: string } {
  const safeValue = (name: string, maxLength: number) => {
    const typed = form.get(name) ?? "";
    return typed.replace(/\D/g, "").length > 8 ? "" : typed.slice(0, maxLength);
  };
  return { expiry: safeValue("expiry", 9), holder: safeValue("holder", 100) };
}

const digitsOf = (typed: string | null): string => (typed ?? "").replace(/[\s.-]/g, "");

/** The check digit of ISO/IEC 7812-1, annex B. */
function luhn(number: string): boolean {
  let sum = 0;
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Parses "08/31", "8 / 2031" or "0831". Returns an error message if it is malformed or expired. */
function parseExpiry(typed: string, words: CardWords): { expMonth: number; expYear: number } | string {
  if (typed.trim() === "") return words.expiryMissing;
  const parts = /^\s*(\d{1,2})\s*[/.\s-]\s*(\d{2}|\d{4})\s*$/.exec(typed) ?? /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(typed);
  const expMonth = Number(parts?.[1]);
  const year = Number(parts?.[2]);
  if (!parts || expMonth < 1 || expMonth > 12) return words.expiryWrong;
  const expYear = year < 100 ? 2000 + year : year;
  if (cardExpiresAt(expYear, expMonth) <= clock.now().getTime()) return words.expired;
  if (expYear > clock.now().getUTCFullYear() + 50) return words.yearWrong;
  return { expMonth, expYear };
}

export interface Shown {
  amountCents: number;
  currency: string;
  taxBasisPoints?: number | null;
}

/**
 * The amount and the tax that the payer agreed to, from the form's hidden fields; null when malformed. A form of an earlier version
 * names no tax: `taxBasisPoints` is then undefined.
 */
export function parseShown(form: URLSearchParams): Shown | null {
  const cents = form.get("amount_cents") ?? "";
  const currency = form.get("currency") ?? "";
  const tax = form.get("tax_basis_points");
  if (!/^\d{1,9}$/.test(cents) || !/^[A-Z]{3}$/.test(currency) || !/^\d{0,5}$/.test(tax ?? "")) return null;
  return {
    amountCents: Number(cents),
    currency,
    ...(tax === null ? {} : { taxBasisPoints: tax === "" ? null : Number(tax) }),
  };
}

/** What has changed since the payer's page showed it; null if the payer agreed to what the link has now. */
export function changeSince(
  shown: Shown,
  link: Pick<Payable, "amount_cents" | "currency" | "tax_basis_points">,
): "amount" | "tax" | null {
  if (shown.amountCents !== link.amount_cents || shown.currency !== link.currency) return "amount";
  return shown.taxBasisPoints === undefined || shown.taxBasisPoints === link.tax_basis_points ? null : "tax";
}
