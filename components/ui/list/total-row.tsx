import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useFormatter, useLocale, useTranslations } from "use-intl";
import { call, type QueryOf } from "@/lib/client/call";
import type { Rows } from "@/lib/client/result";
import { formatMoney } from "@/lib/core/money";
import type { Endpoint } from "@/lib/http/endpoint";
import { partialOrders } from "./filter";

type List = Pick<UseQueryResult<Rows<unknown>>, "data" | "isPlaceholderData">;

interface TotalRowProps<E extends Endpoint> {
  endpoint: E;
  list: List;
  query: Readonly<Record<string, string | null | undefined>>;
  /** The filters that a person has set, if the query has others, too. */
  filter?: Readonly<Record<string, string | undefined>>;
  /** The status whose rows are summed up unless a person filters by one: money of the others has not moved. */
  moved?: "succeeded";
  /** Whether the amounts are prices per period, not money that has moved. */
  prices?: boolean;
}

const notFilters = ["cursor", "sort", "per_page", "columns", "periods"];

/** How many rows the filters find, and what they sum up to in each currency. Nothing without filters. */
export function TotalRow<E extends Endpoint>({
  endpoint,
  list,
  query,
  filter = query as Readonly<Record<string, string | undefined>>,
  moved,
  prices = false,
}: TotalRowProps<E>) {
  const t = useTranslations("shell.list");
  const format = useFormatter();
  const locale = useLocale();
  const set = (of: object) => Object.entries(of).filter(([name, value]) => value && !notFilters.includes(name));
  // A list that is sorted by a time leaves out the rows without that time, so its total must, too.
  const order = partialOrders.some((name) => name === query.sort?.replace("-", "")) ? { sort: query.sort } : {};
  const filters = { ...Object.fromEntries(set(query)), ...order };
  const isFiltered = set(filter).length > 0;
  const totals = [endpoint.path.slice(1), "total"];
  const totalOf = (filters: object) => ({
    queryKey: [...totals, filters],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(endpoint as Endpoint & { list: true }, {
        query: { ...filters, with_total: "true", per_page: "1" } as unknown as QueryOf<E & { list: true }>,
        signal,
      }),
  });
  const isNarrower = moved !== undefined && !("status" in filters);
  const counted = useQuery({ ...totalOf(filters), enabled: isFiltered });
  const summed = useQuery({ ...totalOf(isNarrower ? { ...filters, status: moved } : filters), enabled: isFiltered });
  useInvalidateWithRows(totals, list, JSON.stringify(query));
  if (!isFiltered || !counted.data || !summed.data) return null;
  const { total = 0, total_is_lower_bound: more = false } = counted.data.page;
  const { sums = [] } = summed.data.page;
  if (total === 0) return null;
  const amounts = sums.map(({ currency, amount_cents }) => formatMoney(amount_cents, currency, locale));
  const [exactly, atLeast] =
    amounts.length === 0
      ? (["count", "countAtLeast"] as const)
      : isNarrower
        ? (["totalSucceeded", "countAtLeast"] as const)
        : prices
          ? (["totalPrices", "totalPricesAtLeast"] as const)
          : (["total", "totalAtLeast"] as const);
  return (
    <p role="status" className="mt-3 px-4 text-sm text-kumo-subtle tabular-nums">
      {t(more ? atLeast : exactly, { count: total, sums: format.list(amounts) })}
    </p>
  );
}

/**
 * When polling has changed the rows, their totals are fetched again.
 * @param shown the list's query: the rows of another page or filter are no change
 */
function useInvalidateWithRows(queryKey: string[], { data, isPlaceholderData }: List, shown: string): void {
  const client = useQueryClient();
  const rows = isPlaceholderData ? undefined : data?.rows;
  const seen = useRef({ shown, rows });
  useEffect(() => {
    const last = seen.current;
    seen.current = { shown, rows };
    if (last.shown === shown && last.rows && rows && last.rows !== rows) void client.invalidateQueries({ queryKey });
  });
}
