import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/packages/route";
import { packageFilters } from "@/components/packages/filters";
import { PackagesPage } from "@/components/packages/packages-page";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { packagesQueryOptions } from "@/lib/resources/packages/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("packages");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/packages", searchParams));
  const filter = readFilter(packageFilters, await queryOf(searchParams));
  const rows = packagesQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <PackagesPage />
    </FirstRows>
  );
}
