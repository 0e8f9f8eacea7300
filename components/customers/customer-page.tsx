"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import type { UseQueryResult } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { CreatePaymentLink } from "@/components/payment-links/create-payment-link";
import { PaymentLinkCards } from "@/components/payment-links/payment-link-cards";
import { PaymentLinkTable } from "@/components/payment-links/payment-link-table";
import { PaymentCards, PaymentTable } from "@/components/payments/payment-rows";
import { DetailFrame, DetailHead, Fact, Facts, linkLook, Panel } from "@/components/shell/detail";
import { LoadFailure } from "@/components/shell/list/list-frame";
import { Moment } from "@/components/shell/moment";
import { SubscriptionCards } from "@/components/subscriptions/subscription-cards";
import { SubscriptionTable } from "@/components/subscriptions/subscription-table";
import { CreateTokenization } from "@/components/tokenizations/create-tokenization";
import { TokenizationCards } from "@/components/tokenizations/tokenization-cards";
import { TokenizationTable } from "@/components/tokenizations/tokenization-table";
import { cardExpiry, cardName } from "@/components/tokenizations/words";
import { Sheet } from "@/components/ui/sheet";
import { useMedia } from "@/components/ui/use-media";
import type { Rows } from "@/lib/api/client";
import type { CustomerDetail } from "@/lib/customers/contract";
import { useCustomer } from "@/lib/customers/queries";
import { useCustomersCards, useCustomersSubscriptions } from "@/lib/customers/related";
import { formatMoney } from "@/lib/money";
import { usePaymentLinks } from "@/lib/payment-links/queries";
import { usePayments } from "@/lib/payments/queries";

interface Rights {
  links: boolean;
  cards: boolean;
}

/** Everything of one e-mail, and what can be done for it. */
export function CustomerPage({ email, can }: { email: string; can: Rights }) {
  const customer = useCustomer(email);
  return (
    <DetailFrame back={{ href: "/customers", label: "Customers" }} noun="customer" query={customer}>
      {(data) => <Loaded customer={data} can={can} />}
    </DetailFrame>
  );
}

function Loaded({ customer, can }: { customer: CustomerDetail; can: Rights }) {
  const { email, card, totals } = customer;
  const [open, setOpen] = useState<"link" | "card" | null>(null);
  const close = (still: boolean): void => {
    if (!still) setOpen(null);
  };
  return (
    <>
      <DetailHead title={email}>
        {can.cards && (
          <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={() => setOpen("card")}>
            Ask for a card
          </Button>
        )}
        {can.links && (
          <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={() => setOpen("link")}>
            Create payment link
          </Button>
        )}
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title="In all">
          <Facts>
            <Fact term="Card that is charged">
              {card ? `${cardName(card)} ${cardExpiry(card)}` : <span className="text-kumo-subtle">None saved</span>}
            </Fact>
            <Fact term="First seen">
              <Moment at={customer.created_at} />
            </Fact>
            <Fact term="Newest activity">
              <Moment at={customer.last_activity_at} />
            </Fact>
            {totals.map((total) => (
              <Fact key={total.currency} term={`Paid in ${total.currency}`}>
                <span className="font-medium tabular-nums">{formatMoney(total.paid_cents, total.currency)}</span>
                <span className="block text-kumo-subtle tabular-nums">
                  {formatMoney(total.open_cents, total.currency)} open
                  {total.refunded_cents > 0 && `, ${formatMoney(total.refunded_cents, total.currency)} returned`}
                </span>
              </Fact>
            ))}
          </Facts>
        </Panel>
        <Links email={email} canWrite={can.links} />
        <Subscriptions email={email} />
        <Payments email={email} />
        <SavedCards email={email} canWrite={can.cards} />
      </div>
      <Sheet open={open === "link"} onOpenChange={close} title="Create payment link" wide>
        <CreatePaymentLink currency={totals[0]?.currency ?? "EUR"} initial={{ email }} onDone={() => setOpen(null)} />
      </Sheet>
      <Sheet open={open === "card"} onOpenChange={close} title="Ask for a card">
        <CreateTokenization initial={{ email }} onDone={() => setOpen(null)} />
      </Sheet>
    </>
  );
}

interface PartProps<Row> {
  title: string;
  /** What there is none of. */
  none: string;
  /** Where they all are, when these are not. */
  all?: string;
  query: UseQueryResult<Rows<Row>>;
  children: (rows: Row[]) => ReactNode;
}

/** The newest of one kind. */
function Part<Row>({ title, none, all, query, children }: PartProps<Row>) {
  const rows = query.data?.rows ?? [];
  return (
    <section className="grid grid-cols-1 gap-3" aria-label={title}>
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-[15px] font-semibold text-kumo-strong">{title}</h2>
        {all && query.data?.page.next_cursor && (
          <Link href={all} className={`text-base text-kumo-subtle ${linkLook}`}>
            All of them
          </Link>
        )}
      </div>
      {query.isError ? (
        <LoadFailure what={title.toLowerCase()} query={query} />
      ) : rows.length > 0 ? (
        children(rows)
      ) : (
        <p className="rounded-xl bg-kumo-base px-4 py-5 text-center text-base text-kumo-subtle ring ring-kumo-line">
          {query.isPending ? "Loading …" : none}
        </p>
      )}
    </section>
  );
}

const useWide = () => useMedia("(min-width: 64rem)");

function Links({ email, canWrite }: { email: string; canWrite: boolean }) {
  const links = usePaymentLinks({ email });
  const List = useWide() ? PaymentLinkTable : PaymentLinkCards;
  return (
    <Part
      title="Payment links"
      none="No payment links."
      all={`/payment-links?email=${encodeURIComponent(email)}`}
      query={links}
    >
      {(rows) => <List rows={rows} canWrite={canWrite} columns={["status", "created_at"]} order="-created_at" />}
    </Part>
  );
}

function Subscriptions({ email }: { email: string }) {
  const subscriptions = useCustomersSubscriptions(email);
  const List = useWide() ? SubscriptionTable : SubscriptionCards;
  return (
    <Part
      title="Subscriptions"
      none="No subscriptions."
      all={`/subscriptions?q=${encodeURIComponent(email)}`}
      query={subscriptions}
    >
      {(rows) => <List rows={rows} />}
    </Part>
  );
}

function Payments({ email }: { email: string }) {
  const payments = usePayments({ email });
  const List = useWide() ? PaymentTable : PaymentCards;
  return (
    <Part title="Payments" none="No payments." all={`/payments?email=${encodeURIComponent(email)}`} query={payments}>
      {(rows) => <List rows={rows} />}
    </Part>
  );
}

function SavedCards({ email, canWrite }: { email: string; canWrite: boolean }) {
  const cards = useCustomersCards(email);
  const List = useWide() ? TokenizationTable : TokenizationCards;
  return (
    <Part
      title="Cards"
      none="Nobody has been asked for a card."
      all={`/tokenizations?q=${encodeURIComponent(email)}`}
      query={cards}
    >
      {(rows) => <List rows={rows} canWrite={canWrite} />}
    </Part>
  );
}
