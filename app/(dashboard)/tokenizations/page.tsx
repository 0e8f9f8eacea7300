import { listPage } from "@/app/(dashboard)/list-page";
import { tokenizationFilters } from "@/components/tokenizations/filters";
import { TokenizationsPage } from "@/components/tokenizations/tokenizations-page";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("tokenizations");

export default listPage("/tokenizations", TokenizationsPage, {
  filters: tokenizationFilters,
  query: tokenizationsQueryOptions,
  payer: ({ email }) => email,
});
