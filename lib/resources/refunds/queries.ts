import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { useMutation } from "@/lib/client/use-mutation";
import { refundEndpoints as endpoints } from "./contract";

const root = ["refunds"] as const;

export const refundsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions({
    ...listOptions(endpoints.list, root, filter),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(({ status }) => status === "pending") ? 5_000 : false),
  });

export function useRefundsOf(paymentId: string) {
  return useQuery({
    queryKey: [...root, "of", paymentId],
    queryFn: ({ signal }) => call(endpoints.list, { query: { payment_id: paymentId, per_page: "100" }, signal }),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(({ status }) => status === "pending") ? 3_000 : false),
  });
}

export type RefundBody = z.input<typeof endpoints.create.body>;

export function useRefund(linkId: string) {
  const client = useQueryClient();
  const roots = [root, ["payments"], ["payment-links"], ["reports"], ["customers"]];
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: RefundBody; idempotencyKey: string }) =>
      call(endpoints.create, { id: linkId, body, idempotencyKey }),
    onSettled: () => Promise.all(roots.map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
