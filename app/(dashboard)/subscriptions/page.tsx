import { listPage } from "@/app/(dashboard)/list-page";
import { subscriptionFilters, subscriptionsQuery } from "@/components/subscriptions/filters";
import { SubscriptionsPage } from "@/components/subscriptions/subscriptions-page";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscriptions");

export default listPage("/subscriptions", SubscriptionsPage, {
  filters: subscriptionFilters,
  query: (filter) => subscriptionsQueryOptions(subscriptionsQuery(filter)),
  payer: ({ email }) => email,
});
