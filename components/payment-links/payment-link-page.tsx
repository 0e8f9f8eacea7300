"use client";

import { Button, buttonVariants } from "@cloudflare/kumo/components/button";
import { ArrowSquareOutIcon } from "@phosphor-icons/react/dist/ssr/ArrowSquareOut";
import { ArrowUUpLeftIcon } from "@phosphor-icons/react/dist/ssr/ArrowUUpLeft";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { PaymentCards, PaymentTable } from "@/components/payments/payment-rows";
import { RefundForm, refundable } from "@/components/payments/refund-form";
import { DetailFrame, DetailHead, Fact, Facts, linkLook, Panel } from "@/components/shell/detail";
import { LoadFailure } from "@/components/shell/list/list-frame";
import { Moment } from "@/components/shell/moment";
import { Timeline } from "@/components/timeline/timeline";
import { CopyButton } from "@/components/ui/copy-button";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import { formatMoney } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/contract";
import { usePaymentLink } from "@/lib/payment-links/queries";
import { usePayments } from "@/lib/payments/queries";
import { ChargeCard } from "./charge-card";
import { LinkMenu } from "./link-menu";
import { QrCode } from "./qr-code";
import { StatusBadge } from "./status-badge";

interface PaymentLinkPageProps {
  id: string;
  canWrite: boolean;
}

/** One payment link: what it asks for, what was paid and returned, and what can be done about it. */
export function PaymentLinkPage({ id, canWrite }: PaymentLinkPageProps) {
  const link = usePaymentLink(id);
  return (
    <DetailFrame back={{ href: "/payment-links", label: "Payment links" }} noun="payment link" query={link}>
      {(data) => (
        <div className="grid gap-6">
          <Loaded link={data} canWrite={canWrite} />
          <Timeline of={{ paymentLink: id }} asOf={link.dataUpdatedAt} />
        </div>
      )}
    </DetailFrame>
  );
}

/** What each state means for who has the link. */
const stateWords: Record<PaymentLink["status"], string> = {
  Active: "Whoever has the link can pay it.",
  Inactive: "It can not be paid until it is activated.",
  Processing: "A payment is under way: the payer is at the bank, or the gateway’s answer is awaited.",
  Paid: "It has been paid, and can not be paid again.",
  Expired: "It can not be paid any more. A later expiry reopens it.",
};

function Loaded({ link, canWrite }: { link: PaymentLink; canWrite: boolean }) {
  const router = useRouter();
  const payments = usePayments({ payment_link_id: link._id, per_page: "100" });
  const wide = useMedia("(min-width: 64rem)");
  const [refunding, setRefunding] = useState(false);
  const paid = payments.data?.rows.find(({ status }) => status === "succeeded");
  const List = wide ? PaymentTable : PaymentCards;
  const none = <span className="text-kumo-subtle">Not given</span>;
  return (
    <div>
      <DetailHead title={link.title} badge={<StatusBadge status={link.status} />}>
        <CopyButton text={link.payment_url} what="payment link" variant="primary">
          Copy the link
        </CopyButton>
        <a
          href={link.payment_url}
          target="_blank"
          rel="noreferrer"
          className={buttonVariants({ variant: "secondary" })}
        >
          Open it
          <ArrowSquareOutIcon size={16} aria-hidden />
          <span className="sr-only">in a new tab</span>
        </a>
        {canWrite && <ChargeCard link={link} />}
        {canWrite && paid && refundable(paid) > 0 && (
          <Button variant="secondary" icon={<ArrowUUpLeftIcon size={16} />} onClick={() => setRefunding(true)}>
            Refund
          </Button>
        )}
        {canWrite && <LinkMenu link={link} variant="secondary" onRemoved={() => router.replace("/payment-links")} />}
      </DetailHead>
      <div className="grid gap-6 xl:grid-cols-[1fr_26rem] xl:items-start">
        <Panel title="Details">
          <div className="border-b border-kumo-hairline px-4 py-4">
            <p className="text-2xl font-semibold tracking-tight text-kumo-strong tabular-nums">
              {formatMoney(link.amount_cents, link.currency)}
            </p>
            <p className="mt-1 text-base text-kumo-subtle">{stateWords[link.status]}</p>
            {link.refunded_amount > 0 && (
              <p className="mt-1 text-base text-kumo-default tabular-nums">
                {formatMoney(Math.round(link.refunded_amount * 100), link.currency)} of it returned.
              </p>
            )}
          </div>
          <Facts>
            <Fact term="Payer">
              <Link href={`/customers/${encodeURIComponent(link.email)}`} className={linkLook}>
                {link.email}
              </Link>
            </Fact>
            <Fact term="Phone">{link.phone_no ?? none}</Fact>
            <Fact term="Subscription">
              {link.subscription_id ? (
                <Link href={`/subscriptions/${link.subscription_id}`} className={linkLook}>
                  One of its periods
                </Link>
              ) : (
                <span className="text-kumo-subtle">None</span>
              )}
            </Fact>
            <Fact term="Reference">{link.reference ?? none}</Fact>
            <Fact term="Second reference">{link.reference_2 ?? none}</Fact>
            <Fact term="Redirect after payment">{link.redirect_url ?? "Our thank-you page"}</Fact>
            <Fact term="Created">
              <Moment at={link.created_at} time />
            </Fact>
            <Fact term="Expires">{link.expires_at ? <Moment at={link.expires_at} time /> : "Never"}</Fact>
            <Fact term="Paid">{link.paid_at ? <Moment at={link.paid_at} time /> : "Not yet"}</Fact>
            {link.description && (
              <Fact term="Description" wide>
                <span className="whitespace-pre-line">{link.description}</span>
              </Fact>
            )}
            <Fact term="ID" wide>
              <span className="font-mono text-xs">{link._id}</span>
            </Fact>
          </Facts>
        </Panel>
        <Panel title="QR code">
          <QrCode link={link} />
        </Panel>
      </div>
      <section className="mt-6 grid gap-3" aria-labelledby="payments">
        <h2 id="payments" className="text-[15px] font-semibold text-kumo-strong">
          Payments
        </h2>
        {payments.isError ? (
          <LoadFailure what="payments" query={payments} />
        ) : payments.data && payments.data.rows.length > 0 ? (
          <List rows={payments.data.rows} />
        ) : (
          <p className="rounded-xl bg-kumo-base px-4 py-6 text-center text-base text-kumo-subtle ring ring-kumo-line">
            {payments.isPending ? "Loading the payments …" : "Nobody has tried to pay it."}
          </p>
        )}
      </section>
      <Sheet open={refunding && paid !== undefined} onOpenChange={setRefunding} title="Refund">
        {paid && <RefundForm payment={paid} onDone={() => setRefunding(false)} />}
      </Sheet>
    </div>
  );
}
