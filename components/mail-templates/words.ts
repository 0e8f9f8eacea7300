import { taxLines } from "@/components/payer/words";
import { formatMoney } from "@/lib/core/money";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";

export const titleIn = (title: string): string => untrusted(title, 60);

/** "November 21, 2026 at 2:05 PM (Europe/Berlin)" */
export function moment(at: string, { timezone }: Letterhead): string {
  const format = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: timezone });
  // Some Node.js versions use narrow spaces, which some mail programs cannot show.
  return `${format.format(new Date(at)).replace(/\s/gu, " ")} (${timezone})`;
}

/** Net, tax and total of a payment; empty if its link has no tax. */
export function taxFacts({ tax_percent }: PaymentLink, payment: Payment): (readonly [string, string])[] {
  // A mail that an older version has queued has no `tax_percent`.
  const tax_basis_points = tax_percent == null ? null : Math.round(tax_percent * 100);
  return taxLines({ ...payment, tax_basis_points }).map(({ name, cents }) => [
    name,
    `${formatMoney(cents, payment.currency)} (${payment.currency})`,
  ]);
}
