import { clock } from "@/lib/core/clock";
import type { CardInput, CardRefusal } from "@/lib/gateways/gateway";

export type CardField = "number" | "expiry" | "cvc" | "holder";

/** One message for each field that is wrong. */
export type CardErrors = Partial<Record<CardField, string>>;

type ParsedCard = { ok: true; card: CardInput } | { ok: false; errors: CardErrors };

/**
 * Reads the card out of a posted form. The messages name what to do; none repeats what was typed.
 * @param refuse the gateway's last word on which cards it takes.
 */
export function parseCard(form: URLSearchParams, refuse: (card: CardInput) => CardRefusal | null): ParsedCard {
  const errors: CardErrors = {};
  const number = digitsOf(form.get("number"));
  if (number === "") errors.number = "Enter the card number.";
  else if (!/^\d{12,19}$/.test(number) || !luhn(number)) {
    errors.number = "Check the card number: a digit seems to be wrong or missing.";
  }
  const expiry = parseExpiry(form.get("expiry") ?? "");
  if (typeof expiry === "string") errors.expiry = expiry;
  const cvc = digitsOf(form.get("cvc"));
  if (cvc === "") errors.cvc = "Enter the security code.";
  else if (!/^\d{3,4}$/.test(cvc)) errors.cvc = "Enter the security code: 3 or 4 digits.";
  if (typeof expiry === "string" || Object.keys(errors).length > 0) return { ok: false, errors };
  const card = { number, cvc, ...expiry };
  const refusal = refuse(card);
  return refusal ? { ok: false, errors: { [refusal.field]: refusal.message } } : { ok: true, card };
}

/** What may come back to the payer in a form that is to be mended: never what could be a card's number, wherever it was typed. */
export function safeFieldsOf(form: URLSearchParams): { expiry: string; holder: string } {
  const keep = (name: string, most: number) => {
    const typed = form.get(name) ?? "";
    return typed.replace(/\D/g, "").length > 8 ? "" : typed.slice(0, most);
  };
  return { expiry: keep("expiry", 9), holder: keep("holder", 100) };
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

/** "08/31", "8 / 2031", "0831": month and year, or what is wrong. A card is good until its month has ended everywhere. */
function parseExpiry(typed: string): { expMonth: number; expYear: number } | string {
  if (typed.trim() === "") return "Enter the expiry date.";
  const parts = /^\s*(\d{1,2})\s*[/.\s-]\s*(\d{2}|\d{4})\s*$/.exec(typed) ?? /^\s*(\d{2})(\d{2}|\d{4})\s*$/.exec(typed);
  const expMonth = Number(parts?.[1]);
  const year = Number(parts?.[2]);
  if (!parts || expMonth < 1 || expMonth > 12) return "Enter the expiry date like 08 / 31.";
  const expYear = year < 100 ? 2000 + year : year;
  // Twelve hours later it is past midnight in the last time zone (UTC-12) as well.
  const endsAt = Date.UTC(expYear, expMonth, 1, 12);
  if (endsAt <= clock.now().getTime()) return "This card has expired.";
  if (expYear > clock.now().getUTCFullYear() + 50) return "Check the expiry year.";
  return { expMonth, expYear };
}

/** What the payer was shown, as the form carries it; null when it was tampered with. Amount in cents. */
export function parseShown(form: URLSearchParams): { amountCents: number; currency: string } | null {
  const cents = form.get("amount_cents") ?? "";
  const currency = form.get("currency") ?? "";
  if (!/^\d{1,9}$/.test(cents) || !/^[A-Z]{3}$/.test(currency)) return null;
  return { amountCents: Number(cents), currency };
}
