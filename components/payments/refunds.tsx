import { NotePencilIcon } from "@phosphor-icons/react/dist/ssr/NotePencil";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { Button } from "@/components/ui/button";
import { useDialogs } from "@/components/ui/dialogs";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { useRefundsOf } from "@/lib/resources/refunds/queries";
import { RefundBadge, refundWords } from "./words";

/** @param byHand whether staff returned the money themselves */
export function Refunds({ paymentId, byHand }: { paymentId: string; byHand: boolean }) {
  const t = useTranslations("payments");
  const refunds = useRefundsOf(paymentId);
  const { openSheet } = useDialogs();
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
            {refund.notes && (
              <p className="mt-1 text-base wrap-anywhere whitespace-pre-line text-kumo-default">{refund.notes}</p>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 max-sm:gap-x-2">
            <span className="text-sm text-kumo-subtle">
              <Moment at={refund.created_at} time />
            </span>
            <RefundBadge status={refund.status} />
            <span className="text-right sm:min-w-24 text-base font-medium tabular-nums">
              {formatMoney(refund.amount_cents, refund.currency)}
            </span>
            <Button
              variant="ghost"
              shape="square"
              className="-mr-2"
              icon={<NotePencilIcon size={16} />}
              aria-label={t("refunds.annotationsOf", { amount: formatMoney(refund.amount_cents, refund.currency) })}
              onClick={() =>
                openSheet({
                  title: t("refunds.annotations"),
                  content: () => <RefundAnnotations paymentId={paymentId} id={refund._id} />,
                })
              }
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

function RefundAnnotations({ paymentId, id }: { paymentId: string; id: string }) {
  const refund = useRefundsOf(paymentId).data?.rows.find(({ _id }) => _id === id);
  if (!refund) return null;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-5">
      <AnnotationPanels endpoint={refundEndpoints.annotate} resource={refund} />
    </div>
  );
}
