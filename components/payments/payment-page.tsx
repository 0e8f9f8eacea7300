"use client";

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { PayerName } from "@/components/customers/payer-name";
import { DisputesOfPayment } from "@/components/disputes/disputes-of-payment";
import { DisputeBadge } from "@/components/disputes/words";
import { TaxFact } from "@/components/payment-links/tax-fact";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { DetailHead, Fact, Facts, linkClass, MomentFact, Panel } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { Moment } from "@/components/ui/moment";
import { NewTabLink, newTab } from "@/components/ui/new-tab-link";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { formatMoney } from "@/lib/core/money";
import { disputeEndpoints } from "@/lib/resources/disputes/contract";
import { type PaymentOfLink, paymentEndpoints } from "@/lib/resources/payments/contract";
import { isOpenMismatch } from "@/lib/resources/payments/mismatch";
import { paymentQueryOptions } from "@/lib/resources/payments/queries";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { timelineEndpoints } from "@/lib/resources/timeline/contract";
import { EarlierAttempts } from "./earlier-attempts";
import { PaymentActions } from "./payment-actions";
import { usePaymentActions } from "./payment-menu";
import { Refunds } from "./refunds";
import { RiskFact } from "./risk-fact";
import { heldBy, PaidCardExpiry, PaymentBadge, reasonWords, refundable, refundedState, usePaidWith } from "./words";

const Timeline = onDemand(() => import("@/components/timeline/timeline").then(({ Timeline }) => Timeline));

export function PaymentPage({ id }: { id: string }) {
  const payment = useQuery(paymentQueryOptions(id));
  const may = useMay();
  return (
    <DetailFrame list="/payments" id={id} of="payment" query={payment} about={({ title, email }) => [title, email]}>
      {(data) => (
        <div className="grid grid-cols-1 gap-6">
          <Loaded payment={data} />
          {may(timelineEndpoints.ofPaymentLink) && (
            <LoadBoundary>
              <Suspense>
                <Timeline of={{ paymentLink: data.payment_link_id }} shown={id} asOf={payment.dataUpdatedAt} />
              </Suspense>
            </LoadBoundary>
          )}
        </div>
      )}
    </DetailFrame>
  );
}

function Loaded({ payment }: { payment: PaymentOfLink }) {
  const texts = useTranslations("payments");
  const t = useTranslations("payments.detail");
  const paidWith = usePaidWith();
  const { currency } = payment;
  const may = useMay();
  const held = heldBy(payment);
  const openMismatch = isOpenMismatch(payment);
  const { resolve } = usePaymentActions(payment);
  const disputes = useTranslations("disputes.ofPayment");
  const { manual } = payment;
  const movedMoney = payment.status === "succeeded" || payment.status === "reversed";
  const units = (amount: number) => formatMoney(Math.round(amount * 100), currency);
  return (
    <div>
      <DetailHead
        title={<span className="tabular-nums">{formatMoney(payment.amount_cents, currency)}</span>}
        badge={<PaymentBadge payment={payment} />}
      >
        <PaymentActions payment={payment} />
        {refundable(payment) > 0 && !may(refundEndpoints.create) && (
          <p className="text-sm text-kumo-subtle">{t("refundByOthers")}</p>
        )}
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("heading")}>
          <p className="border-b border-kumo-hairline px-4 py-3.5 text-base text-kumo-default">
            {reasonWords(texts, payment)}{" "}
            {texts(`statusText.${openMismatch ? "mismatch" : refundedState(payment)}`, {
              amount: units(payment.refunded_amount),
            })}
            {payment.settled_by && (
              <span className="mt-1 block text-kumo-subtle">
                {t("settledBy", { name: payment.settled_by, reason: payment.settled_reason ?? "" })}
              </span>
            )}
          </p>
          {openMismatch && (
            <div className="grid gap-3 border-b border-kumo-hairline px-4 py-3.5">
              <Alert>{t("mismatch")}</Alert>
              {resolve && (
                <Button className="justify-self-start" onClick={resolve.onClick}>
                  {resolve.label}
                </Button>
              )}
            </div>
          )}
          {payment.mismatch_note && (
            <p className="border-b border-kumo-hairline px-4 py-3.5 text-base text-kumo-default">
              {t("mismatchResolved")}
              <span className="mt-1 block text-kumo-subtle">{payment.mismatch_note}</span>
            </p>
          )}
          {held && (
            <p id="no-refund" className="border-b border-kumo-hairline px-4 py-3.5 text-base text-kumo-default">
              {disputes(`noRefund.${held}`)}
            </p>
          )}
          <Facts>
            <Fact term={t("for")} long>
              <Link href={`/payment-links/${payment.payment_link_id}`} className={linkClass}>
                {payment.title}
              </Link>
            </Fact>
            <Fact term={t("payer")} long>
              <Link href={`/customers/${encodeURIComponent(payment.email)}`} className={linkClass}>
                <PayerName email={payment.email} />
              </Link>
            </Fact>
            <Fact term={t(manual ? "paidWith" : "card")}>
              {paidWith(payment)} <PaidCardExpiry card={payment.card} />
              {payment.tokenization_id && (
                <span className="block text-kumo-subtle">
                  <Link href={`/tokenizations/${payment.tokenization_id}`} className={linkClass}>
                    {t("savedCard")}
                  </Link>
                </span>
              )}
            </Fact>
            {manual && <ManualFacts manual={manual} />}
            <MomentFact term={t("begun")} at={payment.created_at} />
            <Fact term={t("decided")}>
              {payment.settled_at ? <Moment at={payment.settled_at} time /> : t("notDecided")}
            </Fact>
            <Fact term={t("gateway")}>
              <span className={manual ? undefined : "capitalize"}>
                {manual ? texts("filters.gateways.manual") : payment.gateway}
              </span>
            </Fact>
            {payment.gateway_code && (
              <Fact term={t("gatewayCode")} code>
                {payment.gateway_code}
              </Fact>
            )}
            {!movedMoney && payment.risk && <RiskFact payment={payment} />}
            {payment.receipt_url && (
              <Fact term={t("receipt")}>
                <NewTabLink href={payment.receipt_url} className={linkClass}>
                  {t.rich("openReceipt", { newTab })}
                </NewTabLink>
              </Fact>
            )}
            {payment.gateway_reference && (
              <Fact term={t("gatewayReference")} wide code>
                {payment.gateway_reference}
              </Fact>
            )}
            <Fact term={t("id")} wide code>
              {payment._id}
            </Fact>
          </Facts>
        </Panel>
        {movedMoney && (
          <Panel title={t("money")}>
            <Facts>
              <Fact term={t("amount")}>
                <span className="tabular-nums">{formatMoney(payment.amount_cents, currency)}</span>
              </Fact>
              <TaxFact of={payment} />
              <Fact term={t("fee")}>
                <span className="tabular-nums">
                  {payment.fee ? formatMoney(payment.fee.amount_cents, payment.fee.currency) : t("feeUnknown")}
                </span>
              </Fact>
              {payment.fee && payment.net_amount !== null && (
                <Fact term={t(payment.refunded_amount > 0 ? "netBeforeRefunds" : "net")}>
                  <span className="tabular-nums">
                    {formatMoney(Math.round(payment.net_amount * 100), payment.fee.currency)}
                  </span>
                </Fact>
              )}
              <Fact term={t("refunded")}>
                <span className="tabular-nums">{units(payment.refunded_amount)}</span>
                {payment.refund_pending_amount > 0 && (
                  <span className="block text-kumo-subtle tabular-nums">
                    {t("returning", { amount: units(payment.refund_pending_amount) })}
                  </span>
                )}
              </Fact>
              {payment.status === "succeeded" && !manual && may(payoutEndpoints.get) && (
                <Fact term={t("payout")}>
                  {payment.payout_id ? (
                    <Link href={`/payouts/${payment.payout_id}`} className={linkClass}>
                      {t("viewPayout")}
                    </Link>
                  ) : (
                    t("notPaidOut")
                  )}
                </Fact>
              )}
              <Fact term={t("dispute")}>
                {payment.dispute_status ? <DisputeBadge status={payment.dispute_status} /> : t("noDispute")}
              </Fact>
              {!manual && <RiskFact payment={payment} />}
            </Facts>
          </Panel>
        )}
        {payment.dispute_status && may(disputeEndpoints.list) && (
          <Panel title={disputes("title")}>
            <DisputesOfPayment paymentId={payment._id} />
          </Panel>
        )}
        {payment.status === "succeeded" && (
          <Panel title={t("refunds")}>
            <Refunds paymentId={payment._id} byHand={manual !== null} />
          </Panel>
        )}
        <AnnotationPanels endpoint={paymentEndpoints.annotate} resource={payment} />
        <EarlierAttempts payment={payment} />
      </div>
    </div>
  );
}

function ManualFacts({ manual }: { manual: NonNullable<PaymentOfLink["manual"]> }) {
  const t = useTranslations("payments.detail");
  const format = useFormatter();
  return (
    <>
      <Fact term={t("paidOn")}>
        {format.dateTime(new Date(manual.paid_on), { dateStyle: "medium", timeZone: "UTC" })}
      </Fact>
      <Fact term={t("markedBy")}>{manual.marked_by ?? "–"}</Fact>
      {manual.reference && <Fact term={t("reference")}>{manual.reference}</Fact>}
      {manual.note && (
        <Fact term={t("note")}>
          <span className="whitespace-pre-line">{manual.note}</span>
        </Fact>
      )}
      {manual.reversed_at && (
        <Fact term={t("reversed")}>
          <Moment at={manual.reversed_at} time />
          <span className="block text-kumo-subtle">{manual.reversed_by}</span>
        </Fact>
      )}
      {manual.reversal_reason && (
        <Fact term={t("reversalReason")}>
          <span className="whitespace-pre-line">{manual.reversal_reason}</span>
        </Fact>
      )}
    </>
  );
}
