"use client";

import { buttonVariants } from "@cloudflare/kumo/components/button";
import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import Link from "next/link";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { Timeline } from "@/components/timeline/timeline";
import { Notice } from "@/components/ui/notice";
import { ApiFailure } from "@/lib/api/client";
import { type SubscriptionDetail, useSubscription } from "@/lib/subscriptions/queries";
import { useNow } from "@/lib/test-clock/queries";
import { useSavedCard } from "@/lib/tokenizations/queries";
import { nextCharge } from "./next-charge";
import { Periods } from "./periods";
import { SubscriptionActions } from "./subscription-actions";
import { SubscriptionFacts } from "./subscription-facts";
import { SubscriptionBadge } from "./words";

/** One subscription: what is charged next and why, its periods, and what can be done about it. */
export function SubscriptionPage({ id, canWrite }: { id: string; canWrite: boolean }) {
  const detail = useSubscription(id, useNow());
  const gone = detail.error instanceof ApiFailure && detail.error.status === 404;
  return (
    <>
      <Link
        href="/subscriptions"
        className="mb-3 -ml-1 inline-flex items-center gap-1 rounded text-base text-kumo-subtle hover:text-kumo-default"
      >
        <CaretLeftIcon size={14} aria-hidden />
        Subscriptions
      </Link>
      {detail.isPending ? (
        <Skeleton what="the subscription" />
      ) : gone ? (
        <Notice
          title="This subscription does not exist"
          action={
            <Link href="/subscriptions" className={buttonVariants({ variant: "secondary" })}>
              Go to the subscriptions
            </Link>
          }
        >
          It was deleted, or the address is not complete.
        </Notice>
      ) : detail.data ? (
        <Loaded detail={detail.data} asOf={detail.dataUpdatedAt} canWrite={canWrite} />
      ) : (
        <LoadFailure what="subscription" query={detail} />
      )}
    </>
  );
}

interface LoadedProps {
  detail: SubscriptionDetail;
  /** When it was read. */
  asOf: number;
  canWrite: boolean;
}

function Loaded({ detail, asOf, canWrite }: LoadedProps) {
  const { subscription, open, periods } = detail;
  const card = useSavedCard(subscription.email, 10_000);
  const { headline, detail: more } = nextCharge({ subscription, open, card: card.data, now: useNow() });
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere text-kumo-strong">
            {subscription.email}
          </h1>
          <SubscriptionBadge status={subscription.status} />
        </div>
        {canWrite && <SubscriptionActions subscription={subscription} owes={open !== null} />}
      </div>
      <section className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line" aria-label="Next charge">
        <div className="border-b border-kumo-hairline px-4 py-4">
          <p className="text-[15px] font-medium text-kumo-strong">{headline}</p>
          {more && <p className="mt-1 text-base text-kumo-subtle">{more}</p>}
        </div>
        <SubscriptionFacts subscription={subscription} card={card.data} canWrite={canWrite} />
      </section>
      <Periods subscription={subscription} open={open} total={periods} />
      <Timeline of={{ subscription: subscription._id }} asOf={asOf} />
    </div>
  );
}
