"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { PayerName } from "@/components/customers/payer-name";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { Timeline } from "@/components/timeline/timeline";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { formatMoney } from "@/lib/core/money";
import { type Dispute, disputeEndpoints } from "@/lib/resources/disputes/contract";
import { disputeQueryOptions } from "@/lib/resources/disputes/queries";
import { timelineEndpoints } from "@/lib/resources/timeline/contract";
import { DisputeBadge } from "./words";

export function DisputePage({ id }: { id: string }) {
  const dispute = useQuery(disputeQueryOptions(id));
  const may = useMay();
  return (
    <DetailFrame list="/disputes" id={id} of="dispute" query={dispute} about={({ title, email }) => [title, email]}>
      {(data) => (
        <div className="grid grid-cols-1 gap-6">
          <Loaded dispute={data} />
          <AnnotationPanels endpoint={disputeEndpoints.annotate} resource={data} />
          {may(timelineEndpoints.ofPaymentLink) && (
            <Timeline of={{ paymentLink: data.payment_link_id }} shown={id} asOf={dispute.dataUpdatedAt} />
          )}
        </div>
      )}
    </DetailFrame>
  );
}

function Loaded({ dispute }: { dispute: Dispute }) {
  const texts = useTranslations("disputes");
  const t = useTranslations("disputes.detail");
  const { respond_by } = dispute;
  const answerable = dispute.status.endsWith("needs_response");
  const whatToDo =
    answerable &&
    (dispute.gateway_url
      ? respond_by && t.rich("answerBy", { when: () => <Moment at={respond_by} time /> })
      : t("sandbox"));
  return (
    <div>
      <DetailHead
        title={<span className="tabular-nums">{formatMoney(dispute.amount_cents, dispute.currency)}</span>}
        badge={<DisputeBadge status={dispute.status} />}
      >
        {dispute.gateway_url && (
          <NewTabLink href={dispute.gateway_url}>{t.rich(answerable ? "answer" : "open", { newTab })}</NewTabLink>
        )}
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("heading")}>
          <div className="grid gap-1 border-b border-kumo-hairline px-4 py-3.5">
            {whatToDo && <p className="text-base font-medium text-kumo-strong">{whatToDo}</p>}
            <p className="text-base text-kumo-default">{texts(`reasonText.${dispute.reason}`)}</p>
            <p className="text-base text-kumo-default">
              {texts(`statusText.${dispute.status}`)} {answerable && texts(`advice.${dispute.reason}`)}
            </p>
          </div>
          <Facts>
            <Fact term={t("payment")} long>
              <Link href={`/payments/${dispute.payment_id}`} className={linkClass}>
                {dispute.title}
              </Link>
            </Fact>
            <Fact term={t("payer")} long>
              <Link href={`/customers/${encodeURIComponent(dispute.email)}`} className={linkClass}>
                <PayerName email={dispute.email} />
              </Link>
            </Fact>
            <Fact term={t("reason")}>{texts(`reason.${dispute.reason}`)}</Fact>
            <Fact term={t("respondBy")}>{respond_by ? <Moment at={respond_by} time /> : t("noAnswer")}</Fact>
            <MomentFact term={t("opened")} at={dispute.opened_at} />
            <Fact term={t("closed")}>
              {dispute.closed_at ? <Moment at={dispute.closed_at} time /> : t("notClosed")}
            </Fact>
            <Fact term={t("gateway")}>
              <span className="capitalize">{dispute.gateway}</span>
            </Fact>
            <Fact term={t("gatewayReference")} wide code>
              {dispute.gateway_reference}
            </Fact>
            <Fact term={t("id")} wide code>
              {dispute._id}
            </Fact>
          </Facts>
        </Panel>
        <Panel title={t("money")}>
          <Facts>
            <Fact term={t("withdrawn")}>
              <Booked of={dispute.withdrawn} />
            </Fact>
            <Fact term={t("returned")}>
              <Booked of={dispute.returned} />
            </Fact>
            <Fact term={t("fee")}>
              <Booked of={dispute.fee} />
            </Fact>
          </Facts>
        </Panel>
      </div>
    </div>
  );
}

function Booked({ of }: { of: Dispute["withdrawn"] }) {
  return <span className="tabular-nums">{of ? formatMoney(of.amount_cents, of.currency) : "–"}</span>;
}
