import { queryOptions } from "@tanstack/react-query";
import { read } from "@/lib/client/read";
import { searchEndpoints as endpoints } from "./contract";

/** Everything that a text finds, at most five of each type. */
export const searchQueryOptions = (q: string) =>
  queryOptions({ ...read(endpoints.search, { query: { q } }), queryKey: ["search", q], staleTime: 10_000 });
