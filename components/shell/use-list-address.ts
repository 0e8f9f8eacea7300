import { useTimeZone } from "use-intl";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { type ListAddress, useAddress } from "@/components/ui/list/use-address";
import { listQuery } from "./list-query";

export function useListAddress<F extends Filters>(filters: F): ListAddress<FilterOf<F>> & { query: FilterOf<F> } {
  const address = useAddress((params) => readFilter(filters, params));
  return { ...address, query: listQuery(filters, address.filter, useTimeZone() ?? "UTC") };
}
