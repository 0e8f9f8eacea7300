import { moneyWords, taxLines } from "@/components/payer/words";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";
import { type PayerMailTexts, payerMailTexts } from "@/messages/payer/mail-texts";

export const titleIn = (title: string): string => untrusted(title, 60);

/** "€10.50". No-break spaces instead of narrow ones, which some mail programs cannot show. */
export const mailMoney = (t: PayerMailTexts, cents: number, currency: string): string =>
  moneyWords(t, cents, currency).replaceAll("\u202f", "\u00a0");

/** "November 21, 2026 at 2:05 PM (Europe/Berlin)" */
export function moment(at: string, { timezone }: Letterhead, { language }: PayerMailTexts = payerMailTexts.en): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short", timeZone: timezone });
  // Some Node.js versions use narrow spaces, which some mail programs cannot show.
  return `${format.format(new Date(at)).replace(/\s/gu, " ")} (${timezone})`;
}

/** Net, tax and total of a payment; empty if its link has no tax. */
export function taxFacts(
  t: PayerMailTexts,
  { tax_percent }: PaymentLink,
  payment: Payment,
): (readonly [string, string])[] {
  // The link in a mail that an older version queued has no `tax_percent`.
  const tax_basis_points = tax_percent == null ? null : Math.round(tax_percent * 100);
  return taxLines(t, { ...payment, tax_basis_points }).map(({ name, cents }) => [
    name.replaceAll("\u202f", "\u00a0"),
    `${mailMoney(t, cents, payment.currency)} (${payment.currency})`,
  ]);
}
