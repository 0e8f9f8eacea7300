import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/lib/client/read";
import { customerEndpoints as endpoints } from "./contract";

export type CustomerFilter = { q?: string; cursor?: string };

const root = ["customers"] as const;

/** One page of customers by e-mail. While the next page or filter loads, the previous rows stay. */
export const customersQueryOptions = (filter: CustomerFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
  });

export const customerQueryOptions = (email: string) =>
  queryOptions({
    ...read(endpoints.get, { id: email }),
    queryKey: [...root, "one", email.toLowerCase()],
    refetchInterval: 15_000,
  });
