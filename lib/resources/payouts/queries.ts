import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { payoutEndpoints as endpoints } from "./contract";
import { balanceEntryEndpoints } from "./entries-contract";

const root = ["payouts"] as const;

export const payoutsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const payoutQueryOptions = (id: string) =>
  queryOptions({ ...read(endpoints.get, { id }), queryKey: [...root, "one", id] });

/** The entries of one payout. */
export const payoutEntriesQueryOptions = (id: string, filter: { cursor?: string }) =>
  queryOptions({
    ...read(balanceEntryEndpoints.entries, { query: { ...filter, payout_id: id } }),
    queryKey: [...root, "entries", id, filter],
    placeholderData: keepPreviousData,
  });

/** Refetches while an import runs. */
export const balanceQueryOptions = () =>
  queryOptions({
    ...read(endpoints.balance),
    queryKey: [...root, "balance"],
    refetchInterval: ({ state: { data } }) => (data?.refreshing ? 1_500 : false),
  });

export function useRefreshBalance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoints.refresh),
    onSuccess: (balance) => client.setQueryData(balanceQueryOptions().queryKey, balance),
  });
}

/** The lists and payouts are outdated once an import has ended. */
export function useReloadPayouts(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: root });
}
