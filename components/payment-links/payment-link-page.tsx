"use client";

import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { PayerName } from "@/components/customers/payer-name";
import { paymentColumns } from "@/components/payments/columns";
import { WithdrawButton } from "@/components/payments/withdraw";
import { heldBy, refundable } from "@/components/payments/words";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { useLeaveDeleted } from "@/components/shell/use-leave-deleted";
import { Timeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { useDialogs } from "@/components/ui/dialogs";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { onDemand } from "@/components/ui/on-demand";
import type { Rows as RowsOf } from "@/lib/client/result";
import { formatMoney } from "@/lib/core/money";
import { transferReference } from "@/lib/core/transfer-reference";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { usePaymentLink } from "@/lib/resources/payment-links/queries";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { useSettings } from "@/lib/resources/settings/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { ChargeCard } from "./charge-card";
import { Funnel } from "./funnel";
import { LinkMenu } from "./link-menu";
import { QrCode } from "./qr-code";
import { StatusBadge } from "./status-badge";
import { TaxFact } from "./tax-fact";

const RefundForm = onDemand(() => import("@/components/payments/refund-form").then(({ RefundForm }) => RefundForm));

export function PaymentLinkPage({ id }: { id: string }) {
  const link = usePaymentLink(id, useNow());
  const payments = useQuery(paymentsQueryOptions({ payment_link_id: id, per_page: "100" }));
  useChange(link.data?.updated_at, payments.refetch);
  return (
    <DetailFrame list="/payment-links" id={id} of="paymentLink" query={link} about={({ email }) => [email]}>
      {(data) => (
        <div className="grid grid-cols-1 gap-6">
          <Loaded link={data} asOf={link.dataUpdatedAt} payments={payments} />
          <AnnotationPanels endpoint={paymentLinkEndpoints.annotate} resource={data} />
          <Timeline of={{ paymentLink: id }} asOf={link.dataUpdatedAt} />
        </div>
      )}
    </DetailFrame>
  );
}

function useChange(updatedAt: string | undefined, call: () => unknown): void {
  const known = useRef(updatedAt);
  useEffect(() => {
    if (known.current && updatedAt && known.current !== updatedAt) call();
    known.current = updatedAt;
  }, [updatedAt, call]);
}

interface LoadedProps {
  link: PaymentLink;
  /** When the link was last fetched, in ms. */
  asOf: number;
  payments: UseQueryResult<RowsOf<PaymentOfLink>>;
}

function Loaded({ link, asOf, payments }: LoadedProps) {
  const t = useTranslations("paymentLinks.detail");
  const states = useTranslations("paymentLinks.statusText");
  const languages = useTranslations("paymentLinks.languages");
  const leave = useLeaveDeleted("/payment-links");
  const may = useMay();
  const captions = useTranslations("payments.list.caption");
  const { openSheet } = useDialogs();
  const paid = payments.data?.rows.find(({ status }) => status === "succeeded");
  const opened = payments.data?.rows.find(({ status }) => status === "requires_action");
  const held = paid ? heldBy(paid) : null;
  const disputes = useTranslations("disputes.ofPayment");
  const refund = t(paid?.manual ? "recordRefund" : "refund");
  const none = <span className="text-kumo-subtle">{t("notGiven")}</span>;
  const isPayable = link.status === "Active";
  const awaiting = isPayable && link.awaiting_transfer_since;
  const takesTransfers = Boolean(useSettings().data?.bank_iban) || awaiting;
  return (
    <div>
      <DetailHead title={<bdi>{link.title}</bdi>} badge={<StatusBadge link={link} />}>
        <CopyButton text={link.payment_url} label={t("copyLabel")} variant={isPayable ? "primary" : "secondary"}>
          {t("copy")}
        </CopyButton>
        <NewTabLink href={link.payment_url}>
          {t.rich("open", { words: (words) => <span className="max-sm:sr-only">{words}</span>, newTab })}
        </NewTabLink>
        {may(paymentEndpoints.charge) && <ChargeCard link={link} />}
        {may(refundEndpoints.create) && paid && (refundable(paid) > 0 || held) && (
          <Button
            variant="secondary"
            disabled={held !== null}
            aria-describedby={held ? "no-refund" : undefined}
            icon={<ArrowUUpLeftIcon size={16} />}
            onClick={() =>
              openSheet({ title: refund, content: (close) => <RefundForm payment={paid} onDone={close} /> })
            }
          >
            {refund}
          </Button>
        )}
        {opened && may(paymentEndpoints.cancel) && <WithdrawButton id={opened._id} />}
        <LinkMenu link={link} variant="secondary" onRemoved={leave} />
      </DetailHead>
      <div className="mb-6">
        <Funnel link={link} asOf={asOf} />
      </div>
      <Panel title={t("heading")}>
        <div className="flex flex-wrap border-b border-kumo-hairline">
          <div className="flex-1 basis-64 px-4 py-4">
            <p className="text-2xl font-semibold tracking-tight text-kumo-strong tabular-nums">
              {formatMoney(link.amount_cents, link.currency)}
            </p>
            <p className="mt-1 text-base text-kumo-subtle">{states(awaiting ? "awaitingTransfer" : link.status)}</p>
            {link.refunded_amount > 0 && (
              <p className="mt-1 text-base text-kumo-default tabular-nums">
                {t("refunded", { amount: formatMoney(Math.round(link.refunded_amount * 100), link.currency) })}
              </p>
            )}
            {held && (
              <p id="no-refund" className="mt-1 text-base text-kumo-default">
                {disputes(`noRefund.${held}`)}
              </p>
            )}
          </div>
          {isPayable && <QrCode link={link} />}
        </div>
        <Facts>
          <Fact term={t("payer")} long>
            <Link href={`/customers/${encodeURIComponent(link.email)}`} className={linkClass}>
              <PayerName email={link.email} />
            </Link>
          </Fact>
          <Fact term={t("phone")}>{link.phone_no ?? none}</Fact>
          <Fact term={t("subscription")}>
            {link.subscription_id ? (
              <Link href={`/subscriptions/${link.subscription_id}`} className={linkClass}>
                {t("itsSubscription")}
              </Link>
            ) : (
              <span className="text-kumo-subtle">{t("noSubscription")}</span>
            )}
          </Fact>
          <Fact term={t("reference")}>{link.reference ?? none}</Fact>
          <Fact term={t("reference2")}>{link.reference_2 ?? none}</Fact>
          {link.internal_note && <Fact term={t("internalNote")}>{link.internal_note}</Fact>}
          <TaxFact of={link} />
          <Fact term={t("language")}>{link.language ? languages(link.language) : t("languageOfBrowser")}</Fact>
          <Fact term={t("redirect")}>{link.redirect_url ?? t("noRedirect")}</Fact>
          {takesTransfers && (
            <Fact term={t("transferReference")}>
              <span className="font-mono">{transferReference(link._id)}</span>
              {awaiting && (
                <span className="block text-kumo-subtle">
                  {t.rich("awaitingSince", { when: () => <Moment at={awaiting} time /> })}
                </span>
              )}
            </Fact>
          )}
          <MomentFact term={t("created")} at={link.created_at} />
          <Fact term={t("expires")}>{link.expires_at ? <Moment at={link.expires_at} time /> : t("neverExpires")}</Fact>
          <Fact term={t("paid")}>{link.paid_at ? <Moment at={link.paid_at} time /> : t("notPaid")}</Fact>
          {link.description && (
            <Fact term={t("description")} wide>
              <span className="whitespace-pre-line">{link.description}</span>
            </Fact>
          )}
          <Fact term={t("id")} wide code>
            {link._id}
          </Fact>
        </Facts>
      </Panel>
      <div className="mt-6">
        <Part
          title={t("payments")}
          of="payments"
          none={t("noPayments")}
          loading={t("loadingPayments")}
          caption={captions("-created_at")}
          query={payments}
          columns={paymentColumns}
        />
      </div>
    </div>
  );
}
