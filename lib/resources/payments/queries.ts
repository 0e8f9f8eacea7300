import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read } from "@/lib/client/read";
import { paymentEndpoints as endpoints, type Payment, type paymentStatuses } from "./contract";

export type PaymentFilter = {
  status?: (typeof paymentStatuses)[number];
  email?: string;
  payment_link_id?: string;
  tokenization_id?: string;
  currency?: string;
  created_from?: string;
  created_to?: string;
  sort?: "created_at" | "-created_at";
  per_page?: string;
  cursor?: string;
};

const root = ["payments"] as const;

/** Whether its outcome is still to come. */
export const isOpen = ({ status }: Payment): boolean => status !== "succeeded" && status !== "failed";

/** One page of payments, newest first. While the next page or filter loads, the previous rows stay. */
export const paymentsQueryOptions = (filter: PaymentFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isOpen) ? 5_000 : false),
  });

/** One payment, looked at again as long as its outcome or a refund's is open. */
export const paymentQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) =>
      data && (isOpen(data) || data.refund_pending_amount > 0) ? 3_000 : false,
  });
