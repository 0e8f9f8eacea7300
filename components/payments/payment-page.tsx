"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import Link from "next/link";
import { useState } from "react";
import { DetailFrame, DetailHead, Fact, Facts, linkLook, Panel } from "@/components/shell/detail";
import { Moment } from "@/components/shell/moment";
import { Sheet } from "@/components/ui/sheet";
import { formatMoney } from "@/lib/money";
import type { PaymentOfLink } from "@/lib/payments/contract";
import { usePayment } from "@/lib/payments/queries";
import { RefundForm, refundable } from "./refund-form";
import { Refunds } from "./refunds";
import { cardOf, PaymentBadge, reasonWords, stateWords } from "./words";

/** One attempt to take money: what became of it, and its refunds. */
export function PaymentPage({ id, canWrite }: { id: string; canWrite: boolean }) {
  const payment = usePayment(id);
  return (
    <DetailFrame back={{ href: "/payments", label: "Payments" }} noun="payment" query={payment}>
      {(data) => <Loaded payment={data} canWrite={canWrite} />}
    </DetailFrame>
  );
}

function Loaded({ payment, canWrite }: { payment: PaymentOfLink; canWrite: boolean }) {
  const { currency } = payment;
  const [refunding, setRefunding] = useState(false);
  const left = refundable(payment);
  const units = (amount: number) => formatMoney(Math.round(amount * 100), currency);
  return (
    <>
      <DetailHead
        title={<span className="tabular-nums">{formatMoney(payment.amount_cents, currency)}</span>}
        badge={<PaymentBadge status={payment.status} />}
      >
        {canWrite && left > 0 && (
          <Button variant="secondary" icon={<ArrowUUpLeftIcon size={16} />} onClick={() => setRefunding(true)}>
            Refund
          </Button>
        )}
      </DetailHead>
      <div className="grid gap-6">
        <Panel title="Payment">
          <p className="border-b border-kumo-hairline px-4 py-3.5 text-base text-kumo-default">
            {reasonWords(payment)} {stateWords[payment.status]}
          </p>
          <Facts>
            <Fact term="For">
              <Link href={`/payment-links/${payment.payment_link_id}`} className={linkLook}>
                {payment.title}
              </Link>
            </Fact>
            <Fact term="Payer">
              <Link href={`/customers/${encodeURIComponent(payment.email)}`} className={linkLook}>
                {payment.email}
              </Link>
            </Fact>
            <Fact term="Card">
              {cardOf(payment)}
              {payment.tokenization_id && (
                <span className="block text-kumo-subtle">Saved, charged without its payer</span>
              )}
            </Fact>
            <Fact term="Begun">
              <Moment at={payment.created_at} time />
            </Fact>
            <Fact term="Decided">{payment.settled_at ? <Moment at={payment.settled_at} time /> : "Not yet"}</Fact>
            <Fact term="Returned">
              <span className="tabular-nums">{units(payment.refunded_amount)}</span>
              {payment.refund_pending_amount > 0 && (
                <span className="block text-kumo-subtle tabular-nums">
                  and {units(payment.refund_pending_amount)} on its way
                </span>
              )}
            </Fact>
            <Fact term="The gateway’s fee">
              <span className="tabular-nums">
                {payment.fee ? formatMoney(payment.fee.amount_cents, payment.fee.currency) : "Not known"}
              </span>
            </Fact>
            <Fact term="Gateway">
              <span className="capitalize">{payment.gateway}</span>
              {payment.gateway_reference && (
                <span className="block font-mono text-xs text-kumo-subtle">{payment.gateway_reference}</span>
              )}
            </Fact>
            {payment.receipt_url && (
              <Fact term="Receipt">
                <a href={payment.receipt_url} target="_blank" rel="noreferrer" className={linkLook}>
                  Open the receipt <ArrowSquareOutIcon size={14} className="inline" aria-hidden />
                  <span className="sr-only"> in a new tab</span>
                </a>
              </Fact>
            )}
            <Fact term="ID" wide>
              <span className="font-mono text-xs">{payment._id}</span>
            </Fact>
          </Facts>
        </Panel>
        {payment.status === "succeeded" && (
          <Panel title="Refunds">
            <Refunds paymentId={payment._id} />
          </Panel>
        )}
      </div>
      <Sheet open={refunding} onOpenChange={setRefunding} title="Refund">
        <RefundForm payment={payment} onDone={() => setRefunding(false)} />
      </Sheet>
    </>
  );
}
