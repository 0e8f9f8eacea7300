import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { type Read, read, readWith } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { type PaymentLink, paymentLinkEndpoints } from "@/lib/resources/payment-links/contract";
import {
  subscriptionEndpoints as endpoints,
  type Subscription,
  type SubscriptionUpdate,
  type subscriptionInput,
} from "./contract";

const root = ["subscriptions"] as const;

/** The number of periods in a subscription's response; older ones are fetched. */
const includedPeriods = 12;

function useInvalidate() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [root, ["packages"], ["payment-links"], ["reports"], ["customers"]].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

export function isMoving({ next_charge_at, payment_links }: Subscription, now: Date): boolean {
  const due = (at: string | null): boolean => at !== null && Date.parse(at) <= now.getTime();
  return (
    due(next_charge_at) ||
    payment_links.some(
      ({ status, next_attempt_at }) => status === "Processing" || (status === "Active" && due(next_attempt_at)),
    )
  );
}

const soon = 1_500;

export const subscriptionsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

/** Whether the business has a subscription. Reads one row. */
export const anySubscriptionQueryOptions = queryOptions({
  ...readWith((read) => read(endpoints.list, { query: { per_page: "1" } }).then(({ rows }) => rows.length > 0)),
  queryKey: [...root, "any"],
  staleTime: 60_000,
});

/** The number of subscriptions that a preview of a price change shows. */
export const shownInPreview = 5;

/** @param cents the new price; null: asks nothing */
export function usePriceChange(packageId: string, cents: string | null) {
  const query = { amount: cents ?? "", per_page: String(shownInPreview), with_total: "true" } as const;
  return useQuery({
    ...read(endpoints.priceChange, { id: packageId, query }),
    queryKey: [...root, "price-change", packageId, cents],
    enabled: cents !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Refetches soon while billing is about to change one of them. */
export function useSubscriptions(filter: ListFilter<typeof endpoints.list>, now: Date) {
  return useQuery({
    ...subscriptionsQueryOptions(filter),
    refetchInterval: ({ state: { data } }) => (data?.rows.some((row) => isMoving(row, now)) ? soon : false),
  });
}

export interface SubscriptionDetail {
  subscription: Subscription;
  periods: number;
  open: PaymentLink | null;
}

async function load(read: Read, id: string): Promise<SubscriptionDetail> {
  const subscription = await read(endpoints.get, { id });
  const shown = subscription.payment_links;
  if (shown.length < includedPeriods)
    return { subscription, periods: shown.length, open: shown.findLast(({ status }) => status === "Active") ?? null };
  const oldest = { subscription_id: id, sort: "created_at", per_page: "1" } as const;
  const [all, open] = await Promise.all([
    read(paymentLinkEndpoints.list, { query: { ...oldest, with_total: "true" } }),
    read(paymentLinkEndpoints.list, { query: { ...oldest, status: "Active" } }),
  ]);
  return { subscription, periods: all.page.total ?? shown.length, open: open.rows[0] ?? null };
}

export const subscriptionQueryOptions = (id: string) =>
  queryOptions({ ...readWith((read) => load(read, id)), queryKey: [...root, "one", id] });

export function useSubscription(id: string, now: Date, enabled = true) {
  return useQuery({
    ...subscriptionQueryOptions(id),
    enabled,
    refetchInterval: ({ state: { data } }) => (data && isMoving(data.subscription, now) ? soon : 10_000),
  });
}

export function usePeriods(id: string, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: [...root, "periods", id],
    queryFn: ({ pageParam, signal }) =>
      call(paymentLinkEndpoints.list, { query: { subscription_id: id, per_page: "50", cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ page }) => page.next_cursor,
    enabled,
  });
}

export type SubscriptionBody = z.input<typeof subscriptionInput>;

export function useCreateSubscription() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: SubscriptionBody; idempotencyKey: string }) =>
      call(endpoints.create, { body, idempotencyKey }),
    onSuccess: invalidate,
  });
}

export const readSubscription = (id: string) => call(endpoints.get, { id });

export function useChangeSubscription(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ readAt, ...body }: SubscriptionUpdate & { readAt?: string }) =>
      call(endpoints.update, { id, body, ifMatch: readAt }),
    // Also after a refusal, because the subscription has changed.
    onSettled: invalidate,
  });
}

/** Leaves the page of the deleted subscription before anything is refetched. */
export function useRemoveSubscription(id: string, onRemoved: () => void) {
  const client = useQueryClient();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: () => call(endpoints.remove, { id }),
    onSuccess: () => {
      onRemoved();
      client.removeQueries({ queryKey: [...root, "one", id] });
      return invalidate();
    },
    onError: invalidate,
  });
}
