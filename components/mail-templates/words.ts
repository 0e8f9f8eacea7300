import { dateFormat, moneyWords, taxIn, taxLines } from "@/components/payer/words";
import type { Letterhead } from "@/lib/outbox/mail/send";
import { untrusted } from "@/lib/outbox/mail/untrusted-text";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import type { Payment } from "@/lib/resources/payments/contract";
import type { Refund } from "@/lib/resources/refunds/contract";
import { type PayerMailTexts, payerMailTexts } from "@/messages/payer/mail-texts";

export const titleIn = (title: string): string => untrusted(title, 60);

/** "€10.50". No-break spaces instead of narrow ones, which some mail programs cannot show. */
export const mailMoney = (t: PayerMailTexts, cents: number, currency: string): string =>
  moneyWords(t, cents, currency).replaceAll("\u202f", "\u00a0");

/** "21 November 2026 at 14:05 (Europe/Berlin)" */
export function moment(at: string, { timezone }: Letterhead, t: PayerMailTexts = payerMailTexts.en): string {
  const format = dateFormat(t, { dateStyle: "long", timeStyle: "short", timeZone: timezone });
  // Some Node.js versions use narrow spaces, which some mail programs cannot show.
  return `${format.format(new Date(at)).replace(/\s/gu, " ")} (${timezone})`;
}

type Fact = readonly [name: string, words: string];

/** The link in a mail that an older version queued has no `tax_percent`. */
const rateOf = ({ tax_percent }: PaymentLink): number | null =>
  tax_percent == null ? null : Math.round(tax_percent * 100);

const taxFact = (t: PayerMailTexts, name: string, cents: number, currency: string): Fact => [
  name.replaceAll("\u202f", "\u00a0"),
  `${mailMoney(t, cents, currency)} (${currency})`,
];

/** Net, tax and total of a payment; empty if its link has no tax. */
export const taxFacts = (t: PayerMailTexts, link: PaymentLink, payment: Payment): Fact[] =>
  taxLines(t, { ...payment, tax_basis_points: rateOf(link) }).map(({ name, cents }) =>
    taxFact(t, name, cents, payment.currency),
  );

/**
 * The tax in a refund: the tax before it less the tax of the rest, so that the refunds of a payment add up to its tax.
 * @param restCents the payment less all refunds up to this one, in cents
 */
export function refundedTaxFact(t: PayerMailTexts, link: PaymentLink, refund: Refund, restCents: number): Fact | null {
  const taxOf = (amount_cents: number) => taxIn(t, { ...refund, amount_cents, tax_basis_points: rateOf(link) });
  const [before, after] = [taxOf(restCents + refund.amount_cents), taxOf(restCents)];
  return before && after && taxFact(t, t.mails.refund.tax(before.percent), before.cents - after.cents, refund.currency);
}
