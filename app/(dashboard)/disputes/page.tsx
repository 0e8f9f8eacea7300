import { listPage } from "@/app/(dashboard)/list-page";
import { DisputesPage } from "@/components/disputes/disputes-page";
import { disputeFilters } from "@/components/disputes/filters";
import { disputesQueryOptions } from "@/lib/resources/disputes/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("disputes");

export default listPage("/disputes", DisputesPage, {
  filters: disputeFilters,
  query: disputesQueryOptions,
  payer: ({ email }) => email,
});
