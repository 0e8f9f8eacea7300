"use client";

import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { paymentLinkColumns } from "@/components/payment-links/columns";
import { paymentColumns } from "@/components/payments/columns";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { subscriptionColumns } from "@/components/subscriptions/columns";
import { tokenizationColumns } from "@/components/tokenizations/columns";
import { CardExpiry, useCardName } from "@/components/tokenizations/words";
import { Button } from "@/components/ui/button";
import { DetailHead, Fact, Facts, Panel } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { useDialogs } from "@/components/ui/dialogs";
import { Moment } from "@/components/ui/moment";
import { onDemand } from "@/components/ui/on-demand";
import { formatMoney } from "@/lib/core/money";
import type { CustomerDetail } from "@/lib/resources/customers/contract";
import { customerQueryOptions } from "@/lib/resources/customers/queries";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";

const CreatePaymentLink = onDemand(() =>
  import("@/components/payment-links/create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);
const CreateTokenization = onDemand(() =>
  import("@/components/tokenizations/create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);

export function CustomerPage({ email }: { email: string }) {
  const t = useTranslations("customers.detail");
  const encoded = encodeURIComponent(email);
  const customer = useQuery(customerQueryOptions(email));
  // In parallel: the rows do not wait for the customer.
  const links = useQuery(paymentLinksQueryOptions({ email }));
  const subscriptions = useQuery(subscriptionsQueryOptions({ email }));
  const payments = useQuery(paymentsQueryOptions({ email }));
  const cards = useQuery(tokenizationsQueryOptions({ email }));
  return (
    <DetailFrame list="/customers" of="customer" query={customer}>
      {(data) => (
        <Loaded customer={data}>
          <Part
            of="paymentLinks"
            title={t("paymentLinks")}
            none={t("noPaymentLinks")}
            all={{ href: `/payment-links?email=${encoded}&periods=shown`, label: t("allOfThem") }}
            query={links}
            columns={paymentLinkColumns}
            chosen={["status", "created_at"]}
          />
          <Part
            of="subscriptions"
            title={t("subscriptions")}
            none={t("noSubscriptions")}
            all={{ href: `/subscriptions?q=${encoded}`, label: t("allOfThem") }}
            query={subscriptions}
            columns={subscriptionColumns}
          />
          <Part
            of="payments"
            title={t("payments")}
            none={t("noPayments")}
            all={{ href: `/payments?email=${encoded}`, label: t("allOfThem") }}
            query={payments}
            columns={paymentColumns}
          />
          <Part
            of="tokenizations"
            title={t("cards")}
            none={t("noCards")}
            all={{ href: `/tokenizations?q=${encoded}`, label: t("allOfThem") }}
            query={cards}
            columns={tokenizationColumns}
          />
        </Loaded>
      )}
    </DetailFrame>
  );
}

interface LoadedProps {
  customer: CustomerDetail;
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
                <>
                  {cardName(card)} <CardExpiry card={card} />
                </>
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
