import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/lib/client/read";
import { requestEndpoints as endpoints, type requestMethods, type statusClasses } from "./contract";

export type RequestFilter = {
  method?: (typeof requestMethods)[number];
  status?: (typeof statusClasses)[number];
  path?: string;
  actor_type?: "api_key" | "user";
  api_key_id?: string;
  request_id?: string;
  created_from?: string;
  created_to?: string;
  cursor?: string;
};

const root = ["requests"] as const;

/** One page of requests, newest first. While the next page or filter loads, the previous rows stay. */
export const requestsQueryOptions = (filter: RequestFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
  });

/** A request never changes. */
export const requestQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "request", id],
    staleTime: Number.POSITIVE_INFINITY,
  });
