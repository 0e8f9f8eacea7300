import { listPage } from "@/app/(dashboard)/list-page";
import { endpointFilters } from "@/components/webhook-endpoints/filters";
import { WebhooksPage } from "@/components/webhook-endpoints/webhooks-page";
import { webhookEndpointsQueryOptions } from "@/lib/resources/webhook-endpoints/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("webhooks");

export default listPage("/developers/webhooks", WebhooksPage, {
  filters: endpointFilters,
  query: webhookEndpointsQueryOptions,
  also: [webhookEndpointsQueryOptions({})], // for their limit, where the list is filtered
});
