import { listPage } from "@/app/(dashboard)/list-page";
import { GET } from "@/app/api/disputes/route";
import { DisputesPage } from "@/components/disputes/disputes-page";
import { disputeFilters } from "@/components/disputes/filters";
import { disputesQueryOptions } from "@/lib/resources/disputes/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("disputes");

export default listPage("/disputes", DisputesPage, {
  filters: disputeFilters,
  query: disputesQueryOptions,
  get: GET,
  payer: ({ email }) => email,
});
