import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/tokenizations/route";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { tokenizationFilters } from "@/components/tokenizations/filters";
import { TokenizationsPage } from "@/components/tokenizations/tokenizations-page";
import { readFilter } from "@/components/ui/list/filter";
import { tokenizationsQueryOptions } from "@/lib/resources/tokenizations/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("tokenizations");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/tokenizations", searchParams));
  const filter = readFilter(tokenizationFilters, await queryOf(searchParams));
  const rows = tokenizationsQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <TokenizationsPage />
    </FirstRows>
  );
}
