import { listPage } from "@/app/(dashboard)/list-page";
import { requestFilterOf, requestFilters } from "@/components/requests/filters";
import { RequestsPage } from "@/components/requests/requests-page";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("requests");

export default listPage("/developers/requests", RequestsPage, {
  filters: requestFilters,
  query: (filter) => requestsQueryOptions(requestFilterOf(filter)),
  endpoint: requestEndpoints.list,
});
