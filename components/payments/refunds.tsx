import { useTranslations } from "use-intl";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import { useRefundsOf } from "@/lib/resources/refunds/queries";
import { RefundBadge, refundWords } from "./words";

/** @param byHand whether staff returned the money themselves */
export function Refunds({ paymentId, byHand }: { paymentId: string; byHand: boolean }) {
  const t = useTranslations("payments");
  const refunds = useRefundsOf(paymentId);
  if (refunds.isPending) return <p className="px-4 py-5 text-base text-kumo-subtle">{t("refunds.loading")}</p>;
  if (refunds.isError) return <LoadFailure of="single.refunds" query={refunds} />;
  if (refunds.data.rows.length === 0)
    return <p className="px-4 py-5 text-base text-kumo-subtle">{t("refunds.none")}</p>;
  return (
    <ul>
      {refunds.data.rows.map((refund) => (
        <li
          key={refund._id}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1.5 border-b border-kumo-hairline px-4 py-3.5 last:border-0"
        >
          <div className="min-w-0 flex-1 basis-64">
            <p className="text-base wrap-anywhere text-kumo-default">{refund.reason ?? t("refunds.noReason")}</p>
            <p className="text-sm text-kumo-subtle">{byHand ? t("refunds.recorded") : refundWords(t, refund)}</p>
          </div>
          <div className="flex items-center gap-4">
            <span className="text-sm text-kumo-subtle">
              <Moment at={refund.created_at} time />
            </span>
            <RefundBadge status={refund.status} />
            <span className="min-w-24 text-right text-base font-medium tabular-nums">
              {formatMoney(refund.amount_cents, refund.currency)}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
