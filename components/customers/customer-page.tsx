"use client";

import { ArrowsClockwiseIcon } from "@phosphor-icons/react/dist/ssr/ArrowsClockwise";
import { CreditCardIcon } from "@phosphor-icons/react/dist/ssr/CreditCard";
import { PlusIcon } from "@phosphor-icons/react/dist/ssr/Plus";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { DetailHead } from "@/components/ui/detail";
import { Part } from "@/components/ui/detail-part";
import { useDialogs } from "@/components/ui/dialogs";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { type Customer, customerEndpoints } from "@/lib/resources/customers/contract";
import { customerQueryOptions } from "@/lib/resources/customers/queries";
import { emailsQueryOptions } from "@/lib/resources/emails/queries";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { paymentLinksQueryOptions } from "@/lib/resources/payment-links/queries";
import { paymentsQueryOptions } from "@/lib/resources/payments/queries";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { CustomerSummary } from "./customer-facts";
import * as columns from "./own-columns";

/** Most customers have none. */
const CustomerDisputes = onDemand(() => import("./customer-disputes").then(({ CustomerDisputes }) => CustomerDisputes));
const Timeline = onDemand(() => import("@/components/timeline/timeline").then(({ Timeline }) => Timeline));
const CreatePaymentLink = onDemand(() =>
  import("@/components/payment-links/create-payment-link").then(({ CreatePaymentLink }) => CreatePaymentLink),
);
const CreateTokenization = onDemand(() =>
  import("@/components/tokenizations/create-tokenization").then(({ CreateTokenization }) => CreateTokenization),
);
const SubscriptionForm = onDemand(() =>
  import("@/components/subscriptions/subscription-form").then(({ SubscriptionForm }) => SubscriptionForm),
);

export function CustomerPage({ email }: { email: string }) {
  const t = useTranslations("customers.detail");
  const encoded = encodeURIComponent(email);
  const customer = useQuery(customerQueryOptions(email));
  // The lists load at the same time as the customer, except open links and disputes: most customers have none.
  const links = useQuery(paymentLinksQueryOptions({ email }));
  const subscriptions = useQuery(subscriptionsQueryOptions({ email }));
  const payments = useQuery(paymentsQueryOptions({ email }));
  const cards = useQuery(tokenizationsQueryOptions({ email }));
  const emails = useQuery(emailsQueryOptions({ to: email, per_page: "10" }));
  const owes = customer.data?.totals.some(({ open_count }) => open_count > 0) ?? false;
  const open = useQuery({ ...paymentLinksQueryOptions({ email, status: "Active" }), enabled: owes });
  return (
    <DetailFrame
      list="/customers"
      id={email}
      of="customer"
      query={customer}
      about={({ name, email }) => [name && email]}
    >
      {(data) => (
        <Loaded customer={data}>
          {owes && (
            <Part
              of="paymentLinks"
              title={t("openLinks")}
              none={t("noPaymentLinks")}
              all={{ href: `/payment-links?email=${encoded}&status=Active&periods=shown`, label: t("allOfThem") }}
              query={open}
              columns={columns.paymentLinks}
              chosen={["created_at"]}
            />
          )}
          {data.dispute_count > 0 && (
            <LoadBoundary>
              <Suspense>
                <CustomerDisputes email={email} />
              </Suspense>
            </LoadBoundary>
          )}
          <Part
            of="payments"
            title={t("payments")}
            none={t("noPayments")}
            all={{ href: `/payments?email=${encoded}`, label: t("allOfThem") }}
            query={payments}
            columns={columns.payments}
          />
          <Part
            of="subscriptions"
            title={t("subscriptions")}
            none={t("noSubscriptions")}
            all={{ href: `/subscriptions?email=${encoded}`, label: t("allOfThem") }}
            query={subscriptions}
            columns={columns.subscriptions}
          />
          <Part
            of="tokenizations"
            title={t("cards")}
            none={t("noCards")}
            all={{ href: `/tokenizations?email=${encoded}`, label: t("allOfThem") }}
            query={cards}
            columns={columns.tokenizations}
          />
          <Part
            of="paymentLinks"
            title={t("paymentLinks")}
            none={t("noPaymentLinks")}
            all={{ href: `/payment-links?email=${encoded}&periods=shown`, label: t("allOfThem") }}
            query={links}
            columns={columns.paymentLinks}
            chosen={["status", "created_at"]}
          />
          <Part
            of="emails"
            title={t("emails")}
            none={t("noEmails")}
            all={{ href: `/emails?to=${encoded}`, label: t("allOfThem") }}
            query={emails}
            columns={columns.emails}
          />
          <LoadBoundary>
            <Suspense>
              <Timeline of={{ customer: email }} asOf={customer.dataUpdatedAt} first={6} />
            </Suspense>
          </LoadBoundary>
        </Loaded>
      )}
    </DetailFrame>
  );
}

interface LoadedProps {
  customer: Customer;
  children: ReactNode;
}

function Loaded({ customer, children }: LoadedProps) {
  const t = useTranslations("customers.detail");
  const may = useMay();
  const { email, name, totals } = customer;
  const { openSheet } = useDialogs();
  const askForCard = () =>
    openSheet({
      title: t("askForCard"),
      content: (close) => (
        <CreateTokenization
          initial={{ email, title: t("cardTitle"), description: t("cardDescription") }}
          onDone={close}
        />
      ),
    });
  const subscribe = () =>
    openSheet({
      title: t("subscribe"),
      content: (close) => <SubscriptionForm packageId={undefined} email={email} onCreated={close} />,
    });
  const createLink = () =>
    openSheet({
      title: t("createLink"),
      wide: true,
      content: (close) => <CreatePaymentLink currency={totals[0]?.currency} initial={{ email }} onDone={close} />,
    });
  return (
    <>
      <DetailHead title={name ? <bdi>{name}</bdi> : email}>
        {may(subscriptionEndpoints.create) && (
          <Button variant="secondary" icon={<ArrowsClockwiseIcon size={16} />} onClick={subscribe}>
            {t("subscribe")}
          </Button>
        )}
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
        <CustomerSummary customer={customer} />
        {children}
        <AnnotationPanels endpoint={customerEndpoints.update} resource={customer} />
      </div>
    </>
  );
}
