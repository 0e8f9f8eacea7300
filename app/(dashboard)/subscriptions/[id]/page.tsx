import { type DetailPageProps, openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { subscriptionQueryOptions } from "@/lib/resources/subscriptions/queries";
import { savedCardsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscription");

export default async function Page({ params, searchParams }: DetailPageProps) {
  const { id } = await params;
  await openPage(`/subscriptions/${encodeURIComponent(id)}`, searchParams);
  const load: Load = async (run) => {
    const detail = await run(subscriptionQueryOptions(id));
    if (detail) await run(savedCardsQueryOptions(detail.subscription.email));
  };
  return (
    <FirstData load={load}>
      <SubscriptionPage id={id} />
    </FirstData>
  );
}
