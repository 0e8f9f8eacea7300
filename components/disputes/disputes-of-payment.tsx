import { useTranslations } from "use-intl";
import { linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadFailure } from "@/components/ui/list/list-frame";
import { Moment } from "@/components/ui/moment";
import { formatMoney } from "@/lib/core/money";
import { useDisputesOf } from "@/lib/resources/disputes/queries";
import { DisputeBadge } from "./words";

export function DisputesOfPayment({ paymentId }: { paymentId: string }) {
  const t = useTranslations("disputes");
  const disputes = useDisputesOf(paymentId);
  if (disputes.isPending) return <p className="px-4 py-5 text-base text-kumo-subtle">{t("ofPayment.loading")}</p>;
  if (disputes.isError) return <LoadFailure of="single.dispute" query={disputes} />;
  return (
    <ul>
      {disputes.data.rows.map((dispute) => (
        <li
          key={dispute._id}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1.5 border-b border-kumo-hairline px-4 py-3.5 last:border-0"
        >
          <div className="min-w-0 flex-1 basis-64">
            <Link href={`/disputes/${dispute._id}`} className={`text-base ${linkClass}`}>
              {t(`reason.${dispute.reason}`)}
            </Link>
            <p className="text-sm text-kumo-subtle">{t(`statusText.${dispute.status}`)}</p>
            {dispute.closed_at === null && dispute.respond_by && (
              <p className="text-sm text-kumo-subtle">
                {t("detail.respondBy")}: <Moment at={dispute.respond_by} time />
              </p>
            )}
          </div>
          <div className="flex items-center justify-between gap-4 max-sm:w-full">
            <DisputeBadge status={dispute.status} />
            <span className="min-w-24 text-right text-base font-medium tabular-nums">
              {formatMoney(dispute.amount_cents, dispute.currency)}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}
