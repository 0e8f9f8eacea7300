import { listPage } from "@/app/(dashboard)/list-page";
import { packageFilters } from "@/components/packages/filters";
import { PackagesPage } from "@/components/packages/packages-page";
import { packagesQueryOptions } from "@/lib/resources/packages/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("packages");

export default listPage("/packages", PackagesPage, {
  filters: packageFilters,
  query: packagesQueryOptions,
});
