import { fromField, toField } from "@/components/shell/local-time";
import { fromCents } from "@/components/ui/amount";
import { amountBounds } from "@/lib/core/money";
import { type PayerLanguage, payerLanguages } from "@/lib/core/payer-languages";
import { toPercent } from "@/lib/core/tax";
import { toCents } from "@/lib/core/typed-amount";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { NewPaymentLink } from "@/lib/resources/payment-links/queries";

export const formFields = [
  "amount",
  "currency",
  "title",
  "email",
  "description",
  "expires_at",
  "tax_percent",
  "reference",
  "reference_2",
  "phone_no",
  "redirect_url",
  "internal_note",
  "language",
] as const;

/** The language that the form's select names; undefined: the browser's. */
export const languageIn = (value: string): PayerLanguage | undefined =>
  payerLanguages.find((language) => language === value);

export type FormValues = Record<(typeof formFields)[number], string> & { send_email: boolean };

export const emptyValues = (currency: string): FormValues => ({
  amount: "",
  currency,
  title: "",
  email: "",
  description: "",
  expires_at: "",
  tax_percent: "",
  reference: "",
  reference_2: "",
  phone_no: "",
  redirect_url: "",
  internal_note: "",
  language: "",
  send_email: true,
});

/** @param zone the business's time zone, in which the form shows the expiry */
export const valuesOf = (link: PaymentLink, zone: string): FormValues => ({
  amount: fromCents(link.amount_cents),
  currency: link.currency,
  title: link.title,
  email: link.email,
  description: link.description ?? "",
  expires_at: link.expires_at ? toField(link.expires_at, zone) : "",
  tax_percent: link.tax_percent === null ? "" : String(link.tax_percent),
  reference: link.reference ?? "",
  reference_2: link.reference_2 ?? "",
  phone_no: link.phone_no ?? "",
  redirect_url: link.redirect_url ?? "",
  internal_note: link.internal_note ?? "",
  language: link.language ?? "",
  send_email: true,
});

/**
 * Converts the amount to cents, the expiry to an instant, and blanks to null.
 * @param opened the edited link: it keeps the seconds of its expiry unless the user changed it
 */
export function toBody(values: FormValues, zone: string, opened?: PaymentLink): NewPaymentLink {
  const untouched = opened !== undefined && values.expires_at === valuesOf(opened, zone).expires_at;
  const text = (value: string): string | null => value.trim() || null;
  return {
    currency: values.currency,
    email: values.email.trim(),
    // The contract refuses text that is not an amount, with its own message.
    amount: toCents(values.amount, values.currency, amountBounds) ?? values.amount,
    title: values.title.trim(),
    phone_no: text(values.phone_no),
    description: text(values.description),
    redirect_url: text(values.redirect_url),
    internal_note: text(values.internal_note),
    language: languageIn(values.language) ?? null,
    // The contract refuses text that is not a rate, with its own message.
    tax_percent: toPercent(values.tax_percent) ?? text(values.tax_percent),
    reference: text(values.reference),
    reference_2: text(values.reference_2),
    expires_at: untouched ? opened.expires_at : values.expires_at === "" ? null : fromField(values.expires_at, zone),
    send_email: values.send_email,
  };
}
