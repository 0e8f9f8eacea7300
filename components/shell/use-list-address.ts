import { useQuery } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useTimeZone } from "use-intl";
import { allRows, viewListAt } from "@/components/saved-views/lists";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { type ListAddress, useAddress } from "@/components/ui/list/use-address";
import { savedViewsQueryOptions } from "@/lib/resources/account/queries";
import { listQuery } from "./list-query";
import { useToday } from "./use-today";

export function useListAddress<F extends Filters>(filters: F): ListAddress<FilterOf<F>> & { query: FilterOf<F> } {
  const list = viewListAt(usePathname());
  const { data: views } = useQuery({ ...savedViewsQueryOptions(list), enabled: list !== undefined });
  const hasDefault = list !== undefined && views?.rows.some(({ is_default }) => is_default);
  // Without any parameter, the address redirects to the default view.
  const address = useAddress((params) => readFilter(filters, params), hasDefault ? allRows : {});
  const zone = useTimeZone() ?? "UTC";
  const today = useToday();
  return { ...address, today, query: listQuery(filters, address.filter, zone, today) };
}
