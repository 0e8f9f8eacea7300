import { queryOptions } from "@tanstack/react-query";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { eventEndpoints as endpoints } from "./contract";

const root = ["events"] as const;

export const eventsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

/** An event never changes. */
export const eventQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "event", id],
    staleTime: Number.POSITIVE_INFINITY,
  });
