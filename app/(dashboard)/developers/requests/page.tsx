import { titledFor } from "@/app/(dashboard)/dashboard-page";
import { listPage } from "@/app/(dashboard)/list-page";
import { requestFilterOf, requestFilters } from "@/components/requests/filters";
import { RequestsPage } from "@/components/requests/requests-page";
import { requestEndpoints } from "@/lib/resources/requests/contract";
import { requestsQueryOptions } from "@/lib/resources/requests/queries";

export const generateMetadata = titledFor(requestEndpoints.list, "requests");

export default listPage("/developers/requests", RequestsPage, {
  filters: requestFilters,
  query: (filter) => requestsQueryOptions(requestFilterOf(filter)),
  endpoint: requestEndpoints.list,
});
