import { titledFor } from "@/app/(dashboard)/dashboard-page";
import { listPage } from "@/app/(dashboard)/list-page";
import { apiKeyFilters } from "@/components/api-keys/filters";
import { KeysPage } from "@/components/api-keys/keys-page";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";

export const generateMetadata = titledFor(apiKeyEndpoints.list, "apiKeys");

export default listPage("/developers/keys", KeysPage, {
  filters: apiKeyFilters,
  query: apiKeysQueryOptions,
  endpoint: apiKeyEndpoints.list,
});
