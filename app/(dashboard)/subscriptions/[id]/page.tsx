import { type DetailPageProps, openPage } from "@/app/(dashboard)/dashboard-page";
import { FirstData, type Load } from "@/app/(dashboard)/first-data";
import { GET as getPaymentLinks } from "@/app/api/payment-links/route";
import { GET } from "@/app/api/subscriptions/[id]/route";
import { GET as getTokenizations } from "@/app/api/tokenizations/route";
import { SubscriptionPage } from "@/components/subscriptions/subscription-page";
import { paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import { subscriptionEndpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptionQueryOptions } from "@/lib/resources/subscriptions/queries";
import { tokenizationEndpoints } from "@/lib/resources/tokenizations/contract";
import { savedCardsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscription");

const routes = {
  [subscriptionEndpoints.get.path]: GET,
  [paymentLinkEndpoints.list.path]: getPaymentLinks,
  [tokenizationEndpoints.list.path]: getTokenizations,
};

export default async function Page({ params, searchParams }: DetailPageProps) {
  const { id } = await params;
  await openPage(`/subscriptions/${encodeURIComponent(id)}`, searchParams);
  const load: Load = async (run) => {
    const detail = await run(subscriptionQueryOptions(id));
    if (detail) await run(savedCardsQueryOptions(detail.subscription.email));
  };
  return (
    <FirstData routes={routes} load={load}>
      <SubscriptionPage id={id} />
    </FirstData>
  );
}
