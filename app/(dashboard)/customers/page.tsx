import { FirstRows } from "@/app/(dashboard)/first-rows";
import { requireSession } from "@/app/(dashboard)/session";
import { GET } from "@/app/api/customers/route";
import { CustomersPage } from "@/components/customers/customers-page";
import { customerFilters } from "@/components/customers/filters";
import { addressOf, queryOf } from "@/components/shell/next-path";
import { readFilter } from "@/components/ui/list/filter";
import { customersQueryOptions } from "@/lib/resources/customers/queries";
import { titled } from "@/messages/server";

export const generateMetadata = titled("customers");

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  await requireSession(await addressOf("/customers", searchParams));
  const filter = readFilter(customerFilters, await queryOf(searchParams));
  const rows = customersQueryOptions(filter);
  return (
    <FirstRows reads={[[GET, rows]]}>
      <CustomersPage />
    </FirstRows>
  );
}
