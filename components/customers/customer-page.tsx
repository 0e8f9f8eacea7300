"use client";

import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { PaymentLinkCards } from "@/components/payment-links/payment-link-cards";
import { PaymentLinkTable } from "@/components/payment-links/payment-link-table";
import { PaymentCards, PaymentTable } from "@/components/payments/payment-rows";
import { useMay } from "@/components/shell/may";
import { SubscriptionCards } from "@/components/subscriptions/subscription-cards";
import { SubscriptionTable } from "@/components/subscriptions/subscription-table";
import { TokenizationCards } from "@/components/tokenizations/tokenization-cards";
import { TokenizationTable } from "@/components/tokenizations/tokenization-table";
import { cardExpiry, useCardName } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { DetailFrame, DetailHead, Fact, Facts, Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { useDialogs } from "@/components/ui/dialogs";
import { Moment } from "@/components/ui/moment";
import { onDemand } from "@/components/ui/on-demand";
import type { Rows } from "@/lib/client/call";
import { formatMoney } from "@/lib/core/money";
import type { CustomerDetail } from "@/lib/resources/customers/contract";
import { useCustomer } from "@/lib/resources/customers/queries";
import { useCustomersCards, useCustomersSubscriptions } from "@/lib/resources/customers/related";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { usePaymentLinks } from "@/lib/resources/payment-links/queries";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { usePayments } from "@/lib/resources/payments/queries";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { type Tokenization, tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";

const CreatePaymentLink = onDemand(() =>
  import("@/components/payment-links/create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);
const CreateTokenization = onDemand(() =>
  import("@/components/tokenizations/create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

/** Everything of one e-mail, and what can be done for it. */
export function CustomerPage({ email }: { email: string }) {
  const titles = useTranslations("titles");
  const customer = useCustomer(email);
  // Asked for together: what belongs to somebody does not wait for who that is.
  const links = usePaymentLinks({ email });
  const subscriptions = useCustomersSubscriptions(email);
  const payments = usePayments({ email });
  const cards = useCustomersCards(email);
  return (
    <DetailFrame back={{ href: "/customers", label: titles("customers") }} of="customer" query={customer}>
      {(data) => (
        <Loaded customer={data}>
          <Links email={email} query={links} />
          <Subscriptions email={email} query={subscriptions} />
          <Payments email={email} query={payments} />
          <SavedCards email={email} query={cards} />
        </Loaded>
      )}
    </DetailFrame>
  );
}

interface LoadedProps {
  customer: CustomerDetail;
  /** What belongs to the customer. */
  children: ReactNode;
}

function Loaded({ customer, children }: LoadedProps) {
  const t = useTranslations("customers.detail");
  const cardName = useCardName();
  const may = useMay();
  const { email, card, totals } = customer;
  const currency = totals[0]?.currency;
  const { openSheet } = useDialogs();
  const askForCard = () =>
    openSheet({
      title: t("askForCard"),
      content: (close) => <CreateTokenization initial={{ email }} onDone={close} />,
    });
  const createLink = () =>
    openSheet({
      title: t("createLink"),
      wide: true,
      content: (close) => <CreatePaymentLink currency={currency} initial={{ email }} onDone={close} />,
    });
  return (
    <>
      <DetailHead title={email}>
        {may(tokenizationEndpoints.create) && (
          <Button variant="secondary" icon={<CreditCardIcon size={16} />} onClick={askForCard}>
            {t("askForCard")}
          </Button>
        )}
        {may(paymentLinkEndpoints.create) && (
          <Button variant="primary" icon={<PlusIcon size={16} weight="bold" />} onClick={createLink}>
            {t("createLink")}
          </Button>
        )}
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <Panel title={t("inAll")}>
          <Facts>
            <Fact term={t("card")}>
              {card ? (
                `${cardName(card)} ${cardExpiry(card)}`
              ) : (
                <span className="text-kumo-subtle">{t("noneSaved")}</span>
              )}
            </Fact>
            <Fact term={t("firstSeen")}>
              <Moment at={customer.created_at} />
            </Fact>
            <Fact term={t("newestActivity")}>
              <Moment at={customer.last_activity_at} />
            </Fact>
            {totals.map((total) => (
              <Fact key={total.currency} term={t("paidIn", { currency: total.currency })}>
                <span className="font-medium tabular-nums">{formatMoney(total.paid_cents, total.currency)}</span>
                <span className="block text-kumo-subtle tabular-nums">
                  {t(total.refunded_cents > 0 ? "openAndRefunded" : "open", {
                    open: formatMoney(total.open_cents, total.currency),
                    refunded: formatMoney(total.refunded_cents, total.currency),
                  })}
                </span>
              </Fact>
            ))}
          </Facts>
        </Panel>
        {children}
      </div>
    </>
  );
}

interface PartOf<Row> {
  email: string;
  query: UseQueryResult<Rows<Row>>;
}

const linkColumns = { columns: ["status", "created_at"], order: "-created_at" } as const;
const LinkTable = ({ rows }: { rows: PaymentLink[] }) => <PaymentLinkTable rows={rows} {...linkColumns} />;
const LinkCards = ({ rows }: { rows: PaymentLink[] }) => <PaymentLinkCards rows={rows} {...linkColumns} />;

function Links({ email, query }: PartOf<PaymentLink>) {
  const t = useTranslations("customers.detail");
  return (
    <Part
      title={t("paymentLinks")}
      of="paymentLinks"
      none={t("noPaymentLinks")}
      all={{ href: `/payment-links?email=${encodeURIComponent(email)}`, label: t("allOfThem") }}
      query={query}
      table={LinkTable}
      cards={LinkCards}
    />
  );
}

function Subscriptions({ email, query }: PartOf<Subscription>) {
  const t = useTranslations("customers.detail");
  return (
    <Part
      title={t("subscriptions")}
      of="subscriptions"
      none={t("noSubscriptions")}
      all={{ href: `/subscriptions?q=${encodeURIComponent(email)}`, label: t("allOfThem") }}
      query={query}
      table={SubscriptionTable}
      cards={SubscriptionCards}
    />
  );
}

function Payments({ email, query }: PartOf<PaymentOfLink>) {
  const t = useTranslations("customers.detail");
  return (
    <Part
      title={t("payments")}
      of="payments"
      none={t("noPayments")}
      all={{ href: `/payments?email=${encodeURIComponent(email)}`, label: t("allOfThem") }}
      query={query}
      table={PaymentTable}
      cards={PaymentCards}
    />
  );
}

function SavedCards({ email, query }: PartOf<Tokenization>) {
  const t = useTranslations("customers.detail");
  return (
    <Part
      title={t("cards")}
      of="tokenizations"
      none={t("noCards")}
      all={{ href: `/tokenizations?q=${encodeURIComponent(email)}`, label: t("allOfThem") }}
      query={query}
      table={TokenizationTable}
      cards={TokenizationCards}
    />
  );
}
