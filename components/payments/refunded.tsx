import { amountOf, type Texts } from "@/components/ui/list/columns";
import { formatMoney } from "@/lib/core/money";

interface Refundable {
  /** In whole units, not cents. */
  refunded_amount: number;
  currency: string;
}

/** "€15.00 refunded"; null without refunds. */
const refundedWords = ({ refunded_amount, currency }: Refundable, t: Texts): string | null =>
  refunded_amount === 0
    ? null
    : t("payments.list.refunded", { amount: formatMoney(Math.round(refunded_amount * 100), currency) });

/** For a list: the amount, and below it how much of it was refunded, wrapped rather than cut off. */
export function amountAndRefunds(row: Refundable & { amount_cents: number }, t: Texts) {
  const refunded = refundedWords(row, t);
  return (
    <>
      {amountOf(row)}
      {refunded && <span className="block text-sm font-normal whitespace-normal text-kumo-subtle">{refunded}</span>}
    </>
  );
}
