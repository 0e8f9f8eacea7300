import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { customerEndpoints as endpoints } from "./contract";

export type CustomerFilter = { q?: string; cursor?: string };

const root = ["customers"] as const;

/** One page of customers by e-mail. While the next page or filter loads, the previous rows stay. */
export function useCustomers(filter: CustomerFilter) {
  return useQuery({
    queryKey: [...root, "list", filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useCustomer(email: string) {
  return useQuery({
    queryKey: [...root, "one", email.toLowerCase()],
    queryFn: ({ signal }) => call(endpoints.get, { id: email, signal }),
    refetchInterval: 15_000,
  });
}
