import { queryOptions } from "@tanstack/react-query";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { paymentEndpoints as endpoints, type Payment } from "./contract";

const root = ["payments"] as const;

export const isOpen = ({ status }: Payment): boolean => status !== "succeeded" && status !== "failed";

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
