import { useTimeZone } from "use-intl";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { type ListAddress, useAddress } from "@/components/ui/list/use-address";
import { useNow } from "@/lib/resources/test-clock/queries";
import { listQuery } from "./list-query";
import { dayIn } from "./local-time";

export function useListAddress<F extends Filters>(filters: F): ListAddress<FilterOf<F>> & { query: FilterOf<F> } {
  const address = useAddress((params) => readFilter(filters, params));
  const zone = useTimeZone() ?? "UTC";
  const today = dayIn(useNow(), zone);
  return { ...address, today, query: listQuery(filters, address.filter, zone, today) };
}
