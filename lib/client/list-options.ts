import { keepPreviousData } from "@tanstack/react-query";
import type { Endpoint } from "@/lib/http/endpoint";
import type { CallOptions } from "./call";
import { read } from "./read";

export type ListFilter<E extends Endpoint> = NonNullable<CallOptions<E>["query"]>;

/** Query options for one page of a list. While the next page or filter loads, the previous rows stay. */
export const listOptions = <const E extends Endpoint>(endpoint: E, root: readonly [string], filter: ListFilter<E>) => ({
  ...read(endpoint, { query: filter }),
  queryKey: [...root, "list", filter] as const,
  placeholderData: keepPreviousData,
});
