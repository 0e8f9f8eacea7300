import { titledFor } from "@/app/(dashboard)/dashboard-page";
import { listPage } from "@/app/(dashboard)/list-page";
import { refundFilters } from "@/components/refunds/filters";
import { RefundsPage } from "@/components/refunds/refunds-page";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { refundsQueryOptions } from "@/lib/resources/refunds/queries";

export const generateMetadata = titledFor(refundEndpoints.list, "refunds");

export default listPage("/refunds", RefundsPage, {
  filters: refundFilters,
  query: refundsQueryOptions,
  payer: ({ email }) => email,
  endpoint: refundEndpoints.list,
});
