import { listPage } from "@/app/(dashboard)/list-page";
import { refundFilters } from "@/components/refunds/filters";
import { RefundsPage } from "@/components/refunds/refunds-page";
import { refundEndpoints } from "@/lib/resources/refunds/contract";
import { refundsQueryOptions } from "@/lib/resources/refunds/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("refunds");

export default listPage("/refunds", RefundsPage, {
  filters: refundFilters,
  query: refundsQueryOptions,
  payer: ({ email }) => email,
  endpoint: refundEndpoints.list,
});
