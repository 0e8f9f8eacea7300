import { useTimeZone } from "use-intl";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { type ListAddress, useAddress } from "@/components/ui/list/use-address";
import { listQuery } from "./list-query";

/** The filters of a list in the page's address, and the API's query for them. */
export function useListAddress<F extends Filters>(filters: F): ListAddress<FilterOf<F>> & { query: FilterOf<F> } {
  const address = useAddress((params) => readFilter(filters, params));
  return { ...address, query: listQuery(filters, address.filter, useTimeZone() ?? "UTC") };
}
