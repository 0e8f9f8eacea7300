import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { type Dispute, disputeEndpoints as endpoints } from "./contract";

const root = ["disputes"] as const;

const isOpen = ({ closed_at }: Dispute): boolean => closed_at === null;

export const disputesQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

/** Refetches while the bank has not decided. */
export const disputeQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) => (data && isOpen(data) ? 10_000 : false),
  });

export function useDisputesOf(paymentId: string) {
  return useQuery({
    queryKey: [...root, "of", paymentId],
    queryFn: ({ signal }) => call(endpoints.list, { query: { payment_id: paymentId, per_page: "100" }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isOpen) ? 10_000 : false),
  });
}
