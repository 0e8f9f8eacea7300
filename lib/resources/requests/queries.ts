import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
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
export function useRequests(filter: RequestFilter) {
  return useQuery({
    queryKey: [...root, "list", filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

/** A request never changes. */
export function useRequest(id: string) {
  return useQuery({
    queryKey: [...root, "request", id],
    queryFn: ({ signal }) => call(endpoints.get, { id, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
