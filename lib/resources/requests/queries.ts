import { queryOptions } from "@tanstack/react-query";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { requestEndpoints as endpoints } from "./contract";

export type RequestFilter = ListFilter<typeof endpoints.list>;

const root = ["requests"] as const;

export const requestsQueryOptions = (filter: RequestFilter) => queryOptions(listOptions(endpoints.list, root, filter));

/** A request never changes. */
export const requestQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "request", id],
    staleTime: Number.POSITIVE_INFINITY,
  });
