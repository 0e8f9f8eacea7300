import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/lib/client/read";
import { eventEndpoints as endpoints } from "./contract";
import type { EventType } from "./types";

export type EventFilter = { type?: EventType; resource_id?: string; cursor?: string };

const root = ["events"] as const;

/** One page of events, newest first. While the next page or filter loads, the previous rows stay. */
export const eventsQueryOptions = (filter: EventFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
  });

/** An event never changes. */
export const eventQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "event", id],
    staleTime: Number.POSITIVE_INFINITY,
  });
