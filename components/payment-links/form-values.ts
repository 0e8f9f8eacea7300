import type { NewPaymentLink } from "@/lib/payment-links/queries";
import { toCents } from "./amount";

/** The form's fields, in the order in which they stand on the screen. */
export const formFields = [
  "amount",
  "currency",
  "title",
  "email",
  "description",
  "reference",
  "redirect_url",
  "expires_at",
] as const;

export type FormValues = Record<(typeof formFields)[number], string>;

export const emptyValues = (currency: string): FormValues => ({
  amount: "",
  currency,
  title: "",
  email: "",
  description: "",
  reference: "",
  redirect_url: "",
  expires_at: "",
});

/** The form's values as the API's body: the amount in cents, the expiry as an instant, blanks as null. */
export function toBody(values: FormValues): NewPaymentLink {
  return {
    currency: values.currency,
    email: values.email.trim(),
    // What is no amount goes as it is: the contract then says what is wrong with it.
    amount: toCents(values.amount) ?? values.amount,
    title: values.title.trim(),
    description: values.description.trim() || null,
    reference: values.reference.trim() || null,
    redirect_url: values.redirect_url.trim() || null,
    expires_at: toInstant(values.expires_at),
  };
}

/** A local date and time as the browser's field has it ("2026-12-24T18:00"), as an instant in UTC. */
function toInstant(local: string): string | null {
  if (local === "") return null;
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? local : date.toISOString();
}
