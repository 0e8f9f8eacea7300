import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { paymentEndpoints as endpoints, type Payment } from "./contract";

const root = ["payments"] as const;

export const isOpen = ({ status }: Payment): boolean => !["succeeded", "failed", "reversed"].includes(status);

export const paymentsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions({
    ...listOptions(endpoints.list, root, filter),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isOpen) ? 5_000 : false),
  });

/** Refetches while the outcome of the payment or of a refund is open. */
export const paymentQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) =>
      data && (isOpen(data) || data.refund_pending_amount > 0) ? 3_000 : false,
  });

/** The cards of a link's failed payments, the last one declined first; none if they cannot be loaded. Null: the payer's own card. */
export const fetchDeclinedCards = (payment_link_id: string): Promise<readonly (string | null)[]> =>
  call(endpoints.list, { query: { payment_link_id, status: "failed", per_page: "100" } }).then(
    ({ rows }) => rows.map(({ tokenization_id }) => tokenization_id),
    () => [],
  );

export type SettleBody = z.input<typeof endpoints.settle.body>;

function usePaymentChange<V, R>(mutationFn: (input: V) => Promise<R>) {
  const client = useQueryClient();
  const roots = [root, ["payment-links"], ["subscriptions"], ["reports"], ["customers"]];
  return useMutation({
    mutationFn,
    onSettled: () => Promise.all(roots.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}

export const useSettle = (id: string) =>
  usePaymentChange(({ body, idempotencyKey }: { body: SettleBody; idempotencyKey: string }) =>
    call(endpoints.settle, { id, body, idempotencyKey }),
  );

export type ResolveMismatchBody = z.input<typeof endpoints.resolveMismatch.body>;

export const useResolveMismatch = (id: string) =>
  usePaymentChange(({ body, idempotencyKey }: { body: ResolveMismatchBody; idempotencyKey: string }) =>
    call(endpoints.resolveMismatch, { id, body, idempotencyKey }),
  );

export const usePaymentAction = () =>
  usePaymentChange(({ id, action }: { id: string; action: "reconcile" | "cancel" }) => call(endpoints[action], { id }));

export const useReversePayment = (id: string) =>
  usePaymentChange(({ body, idempotencyKey }: { body: { reason: string }; idempotencyKey: string }) =>
    call(endpoints.reverse, { id, body, idempotencyKey }),
  );
