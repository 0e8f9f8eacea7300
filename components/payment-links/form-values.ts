import { fromField, toField } from "@/components/shell/local-time";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { NewPaymentLink } from "@/lib/resources/payment-links/queries";
import { fromCents, toCents } from "./amount";

/** The form's fields, in the order in which they stand on the screen. */
export const formFields = [
  "amount",
  "currency",
  "title",
  "email",
  "description",
  "expires_at",
  "reference",
  "reference_2",
  "phone_no",
  "redirect_url",
  "internal_note",
] as const;

export type FormValues = Record<(typeof formFields)[number], string> & { send_email: boolean };

export const emptyValues = (currency: string): FormValues => ({
  amount: "",
  currency,
  title: "",
  email: "",
  description: "",
  expires_at: "",
  reference: "",
  reference_2: "",
  phone_no: "",
  redirect_url: "",
  internal_note: "",
  send_email: true,
});

/** A link's fields as the form shows them. @param zone the business's, in which its expiry is shown */
export const valuesOf = (link: PaymentLink, zone: string): FormValues => ({
  amount: fromCents(link.amount_cents),
  currency: link.currency,
  title: link.title,
  email: link.email,
  description: link.description ?? "",
  expires_at: link.expires_at ? toField(link.expires_at, zone) : "",
  reference: link.reference ?? "",
  reference_2: link.reference_2 ?? "",
  phone_no: link.phone_no ?? "",
  redirect_url: link.redirect_url ?? "",
  internal_note: link.internal_note ?? "",
  send_email: true,
});

/**
 * The form's values as the API's body: the amount in cents, the expiry as an instant, blanks as null.
 * @param opened the link that is changed: its expiry stays to the second unless another one was typed
 */
export function toBody(values: FormValues, zone: string, opened?: PaymentLink): NewPaymentLink {
  const untouched = opened !== undefined && values.expires_at === valuesOf(opened, zone).expires_at;
  const text = (value: string): string | null => value.trim() || null;
  return {
    currency: values.currency,
    email: values.email.trim(),
    // What is no amount goes as it is: the contract then says what is wrong with it.
    amount: toCents(values.amount) ?? values.amount,
    title: values.title.trim(),
    phone_no: text(values.phone_no),
    description: text(values.description),
    redirect_url: text(values.redirect_url),
    internal_note: text(values.internal_note),
    reference: text(values.reference),
    reference_2: text(values.reference_2),
    expires_at: untouched ? opened.expires_at : values.expires_at === "" ? null : fromField(values.expires_at, zone),
    send_email: values.send_email,
  };
}
