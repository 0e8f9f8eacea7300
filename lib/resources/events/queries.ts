import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { eventEndpoints as endpoints } from "./contract";
import type { EventType } from "./types";

export type EventFilter = { type?: EventType; resource_id?: string; cursor?: string };

const root = ["events"] as const;

/** One page of events, newest first. While the next page or filter loads, the previous rows stay. */
export function useEvents(filter: EventFilter) {
  return useQuery({
    queryKey: [...root, "list", filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

/** An event never changes. */
export function useEvent(id: string) {
  return useQuery({
    queryKey: [...root, "event", id],
    queryFn: ({ signal }) => call(endpoints.get, { id, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
