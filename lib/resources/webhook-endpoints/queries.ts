import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import type { EventType } from "@/lib/resources/events/types";
import {
  webhookDeliveryEndpoints as deliveries,
  type deliveryStatuses,
  webhookEndpointEndpoints as endpoints,
  type WebhookDelivery,
  type WebhookEndpoint,
  type webhookEndpointInput,
} from "./contract";

export type DeliveryFilter = {
  status?: (typeof deliveryStatuses)[number];
  type?: EventType;
  cursor?: string;
};

const root = ["webhooks"] as const;

/** In milliseconds: deliveries change by themselves. */
const refetchMs = 3_000;

function useInvalidate() {
  const client = useQueryClient();
  return () => Promise.all([root, ["reports"]].map((queryKey) => client.invalidateQueries({ queryKey })));
}

export const webhookEndpointsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const webhookEndpointQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "endpoint", id],
    refetchInterval: refetchMs,
  });

export const deliveriesQueryOptions = (id: string, filter: DeliveryFilter) =>
  queryOptions({
    ...read(endpoints.deliveries, { id, query: filter }),
    queryKey: [...root, "deliveries", id, filter],
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });

/** The more endpoints are asked, the rarer: the requests count against the person's limit. */
export const eventRefetchMs = (endpointCount: number): number => (refetchMs * (1 + endpointCount)) / 2;

/** An event's deliveries: at most one for each of the 16 endpoints. */
export function useEventDeliveries(eventId: string) {
  return useQuery({
    queryKey: [...root, "event", eventId],
    queryFn: async ({ signal }) => {
      const { rows } = await call(endpoints.list, { query: { per_page: "100" }, signal });
      const ofEach = rows.map(async (endpoint) => {
        const found = await call(endpoints.deliveries, { id: endpoint._id, query: { event_id: eventId }, signal });
        return found.rows.map((delivery) => ({ endpoint, delivery }));
      });
      return { endpointCount: rows.length, found: (await Promise.all(ofEach)).flat() };
    },
    select: ({ found }) => found,
    refetchInterval: ({ state: { data } }) =>
      data?.found.some(({ delivery }) => delivery.status === "pending") ? eventRefetchMs(data.endpointCount) : false,
  });
}

export const deliveryQueryOptions = (id: string) =>
  queryOptions({
    ...read(deliveries.getDelivery, { id }),
    queryKey: [...root, "delivery", id],
    refetchInterval: refetchMs,
  });

export type EndpointBody = z.input<typeof webhookEndpointInput>;

export function useCreateEndpoint() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: EndpointBody; idempotencyKey: string }) =>
      call(endpoints.create, { body, idempotencyKey }),
    onSuccess: () => void invalidate(),
  });
}

export const readEndpoint = (id: string) => call(endpoints.get, { id });

export function useUpdateEndpoint() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, was }: { body: EndpointBody; was: WebhookEndpoint }) => {
      const { url, description, events } = body;
      const sent = { url, description, events: events ?? undefined };
      return call(endpoints.update, { id: was._id, body: sent, ifMatch: was.updated_at });
    },
    onSettled: invalidate,
  });
}

export function useRotateSecret(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ overlap_hours, idempotencyKey }: { overlap_hours: number; idempotencyKey: string }) =>
      call(endpoints.rotateSecret, { id, body: { overlap_hours }, idempotencyKey }),
    onSuccess: () => void invalidate(),
  });
}

export function useSendSample(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ type, idempotencyKey }: { type: EventType; idempotencyKey: string }) =>
      call(endpoints.sample, { id, body: { type }, idempotencyKey }),
    onSuccess: () => void invalidate(),
  });
}

export type EndpointAction = "enable" | "disable" | "remove";

export function useEndpointAction(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async (action: EndpointAction): Promise<unknown> => call(endpoints[action], { id }),
    onSettled: () => void invalidate(),
  });
}

export function useRedeliver() {
  const invalidate = useInvalidate();
  return useMutation({ mutationFn: (id: string) => call(deliveries.redeliver, { id }), onSettled: invalidate });
}

export function useRedeliverFailed(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (since?: Date) => call(endpoints.redeliverFailed, { id, body: { since: since?.toISOString() } }),
    onSettled: invalidate,
  });
}

/** Pauses before the reads of a redelivery's outcome, in milliseconds: at first short, then long, some 20 seconds in all. */
const outcomePauses = [500, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 6_000];

/** Longer than a redelivery takes to write, and shorter than the pause after a failed attempt. */
const shortestRetryMs = 1_000;

/** Whether an attempt is due or under way. */
const isDue = ({ status, next_attempt_at: next, updated_at }: WebhookDelivery): boolean =>
  status === "pending" && (next === null || Date.parse(next) - Date.parse(updated_at) < shortestRetryMs);

export interface RedeliveryOutcome {
  delivered: number;
  failed: { id: string; attempt: NonNullable<WebhookDelivery["last_attempt"]> }[];
}

/**
 * A function that reads what became of redelivered events until each was attempted: null if that takes longer, if the person
 * leaves the page or if `signal` aborts it.
 */
export function useRedeliveryOutcome() {
  const client = useQueryClient();
  const invalidate = useInvalidate();

  return async (ids: string[], signal?: AbortSignal): Promise<RedeliveryOutcome | null> => {
    const { pathname } = location;
    const waiting = [...ids];
    const outcome: RedeliveryOutcome = { delivered: 0, failed: [] };
    for (const pause of outcomePauses) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      // In turn, up to the first that is due: the requests count against the person's limit.
      for (let id = waiting[0]; id !== undefined; id = waiting[0]) {
        if (location.pathname !== pathname || signal?.aborted) return null;
        const delivery = await client.fetchQuery({ ...deliveryQueryOptions(id), staleTime: 0 });
        if (isDue(delivery)) break;
        waiting.shift();
        const { status, last_attempt: attempt, updated_at } = delivery;
        if (status === "succeeded") outcome.delivered++;
        // One that changed long after its last attempt failed without another: its endpoint was disabled.
        else if (
          attempt &&
          Date.parse(updated_at) - Date.parse(attempt.created_at) - attempt.latency_ms < shortestRetryMs
        )
          outcome.failed.push({ id, attempt });
      }
      if (waiting.length === 0) break;
    }
    if (signal?.aborted) return null;
    void invalidate();
    return waiting.length === 0 || outcome.failed.length > 0 ? outcome : null;
  };
}
