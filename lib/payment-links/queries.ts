import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/api/client";
import { paymentLinkEndpoints as endpoints, type paymentLinkInput, type paymentLinkStatuses } from "./contract";

export type PaymentLinkFilter = {
  status?: (typeof paymentLinkStatuses)[number];
  q?: string;
  cursor?: string;
};

/** What all cached payment links hang on: a mutation invalidates the root, and with it every list. */
const root = ["payment-links"] as const;

function useInvalidate() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: root });
}

/** One page of payment links, newest first. While the next page or filter loads, the previous rows stay. */
export function usePaymentLinks(filter: PaymentLinkFilter) {
  return useQuery({
    queryKey: [...root, "list", filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}

export type NewPaymentLink = z.input<typeof paymentLinkInput>;

export function useCreatePaymentLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: NewPaymentLink; idempotencyKey: string }) =>
      call(endpoints.create, { body, idempotencyKey }),
    onSuccess: invalidate,
  });
}

export type PaymentLinkAction = "activate" | "deactivate" | "remove";

export function usePaymentLinkAction() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: async ({ id, action }: { id: string; action: PaymentLinkAction }) => {
      await call(endpoints[action], { id });
    },
    // Also after a refusal: the row has moved on, or is gone, and the list should say so.
    onSettled: invalidate,
  });
}
