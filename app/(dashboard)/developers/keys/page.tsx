import { listPage } from "@/app/(dashboard)/list-page";
import { apiKeyFilters } from "@/components/api-keys/filters";
import { KeysPage } from "@/components/api-keys/keys-page";
import { apiKeyEndpoints } from "@/lib/resources/api-keys/contract";
import { apiKeysQueryOptions } from "@/lib/resources/api-keys/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("apiKeys");

export default listPage("/developers/keys", KeysPage, {
  filters: apiKeyFilters,
  query: apiKeysQueryOptions,
  endpoint: apiKeyEndpoints.list,
});
