"use client";

import { Suspense } from "react";
import { useTranslations } from "use-intl";
import { AnnotationPanels } from "@/components/annotations/annotation-panels";
import { PayerName } from "@/components/customers/payer-name";
import { DetailFrame } from "@/components/shell/detail-frame";
import { useMay } from "@/components/shell/may";
import { Timeline } from "@/components/timeline/timeline";
import { useCardWords } from "@/components/tokenizations/words";
import { DetailHead, linkClass } from "@/components/ui/detail";
import { Link } from "@/components/ui/link";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { type SubscriptionDetail, useSubscription } from "@/lib/resources/subscriptions/queries";
import { useNow } from "@/lib/resources/test-clock/queries";
import { useDeclinedCard, useSavedCard } from "@/lib/resources/tokenizations/queries";
import { nextCharge } from "./next-charge";
import { Periods } from "./periods";
import { SubscriptionActions } from "./subscription-actions";
import { SubscriptionFacts } from "./subscription-facts";
import { SubscriptionBadge } from "./words";

const ChargeCard = onDemand(() =>
  import("@/components/payment-links/charge-card").then(({ ChargeCard }) => ChargeCard),
);

export function SubscriptionPage({ id }: { id: string }) {
  const query = useSubscription(id, useNow());
  return (
    <DetailFrame
      list="/subscriptions"
      id={id}
      of="subscription"
      query={query}
      about={({ subscription }) => [subscription.package.name]}
    >
      {(detail) => <Loaded detail={detail} asOf={query.dataUpdatedAt} />}
    </DetailFrame>
  );
}

interface LoadedProps {
  detail: SubscriptionDetail;
  /** When the data was fetched, in ms. */
  asOf: number;
}

function Loaded({ detail, asOf }: LoadedProps) {
  const t = useTranslations("subscriptions.nextCharge");
  const { subscription, open, periods } = detail;
  const card = useSavedCard(subscription.email, 10_000);
  const declined = useDeclinedCard(subscription.email).data ?? null;
  const may = useMay();
  const { headline, detail: more } = nextCharge(t, {
    subscription,
    open,
    card: card.data,
    declined,
    now: useNow(),
    cardWords: useCardWords(),
  });
  return (
    <>
      <DetailHead
        title={
          <Link href={`/customers/${encodeURIComponent(subscription.email)}`} className={linkClass}>
            <PayerName email={subscription.email} />
          </Link>
        }
        badge={<SubscriptionBadge subscription={subscription} />}
      >
        {open && open.attempt_count > 0 && may(paymentEndpoints.charge) && (
          <LoadBoundary>
            <Suspense fallback={null}>
              <ChargeCard link={open} />
            </Suspense>
          </LoadBoundary>
        )}
        <SubscriptionActions subscription={subscription} owes={open !== null} />
      </DetailHead>
      <div className="grid grid-cols-1 gap-6">
        <section
          className="@container overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line"
          aria-label={t("title")}
        >
          <div className="border-b border-kumo-hairline px-4 py-4">
            <p className="text-[15px] font-medium text-kumo-strong">{headline}</p>
            {more && <p className="mt-1 text-base text-kumo-subtle">{more}</p>}
          </div>
          <SubscriptionFacts subscription={subscription} card={card.data} declined={declined} />
        </section>
        <Periods subscription={subscription} open={open} total={periods} />
        <AnnotationPanels endpoint={subscriptionEndpoints.annotate} resource={subscription} />
        <Timeline of={{ subscription: subscription._id }} asOf={asOf} />
      </div>
    </>
  );
}
