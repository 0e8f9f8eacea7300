import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/subscriptions/route";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { subscriptionFilters } from "@/components/subscriptions/filters";
import { SubscriptionsPage } from "@/components/subscriptions/subscriptions-page";
import { readFilter } from "@/components/ui/list/filter";
import { subscriptionsQueryOptions } from "@/lib/resources/subscriptions/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("subscriptions");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/subscriptions", searchParams));
  const filter = readFilter(subscriptionFilters, await queryOf(searchParams));
  const rows = subscriptionsQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <SubscriptionsPage />
    </FirstRows>
  );
}
