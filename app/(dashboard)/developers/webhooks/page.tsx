import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/webhook-endpoints/route";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { endpointFilters } from "@/components/webhook-endpoints/filters";
import { WebhooksPage } from "@/components/webhook-endpoints/webhooks-page";
import { webhookEndpointsQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("webhooks");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/developers/webhooks", searchParams));
  const filter = readFilter(endpointFilters, await queryOf(searchParams));
  const rows = webhookEndpointsQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <WebhooksPage />
    </FirstRows>
  );
}
