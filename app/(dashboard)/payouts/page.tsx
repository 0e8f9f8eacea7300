import { titledFor } from "@/app/(dashboard)/dashboard-page";
import { listPage } from "@/app/(dashboard)/list-page";
import { payoutFilters } from "@/components/payouts/filters";
import { PayoutsPage } from "@/components/payouts/payouts-page";
import { payoutEndpoints } from "@/lib/resources/payouts/contract";
import { balanceQueryOptions, payoutsQueryOptions } from "@/lib/resources/payouts/queries";

export const generateMetadata = titledFor(payoutEndpoints.list, "payouts");

export default listPage("/payouts", PayoutsPage, {
  filters: payoutFilters,
  query: payoutsQueryOptions,
  also: [balanceQueryOptions()],
  endpoint: payoutEndpoints.list,
});
