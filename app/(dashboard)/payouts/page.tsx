import { listPage } from "@/app/(dashboard)/list-page";
import { GET } from "@/app/api/payouts/route";
import { payoutFilters } from "@/components/payouts/filters";
import { PayoutsPage } from "@/components/payouts/payouts-page";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { payoutsQueryOptions } from "@/lib/resources/payouts/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("payouts");

export default listPage("/payouts", PayoutsPage, {
  filters: payoutFilters,
  query: payoutsQueryOptions,
  get: GET,
  endpoint: payoutEndpoints.list,
});
