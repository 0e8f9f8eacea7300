import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read, readWith } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { paymentEndpoints } from "@/lib/resources/payments/contract";
import { paymentLinkEndpoints as endpoints, type PaymentLink, type paymentLinkInput } from "./contract";
import { paymentLinkFunnelEndpoints } from "./funnel-contract";

export type PaymentLinkFilter = ListFilter<typeof endpoints.list>;

const root = ["payment-links"] as const;

function useInvalidate() {
  const client = useQueryClient();
  const others = ["subscriptions", "payments", "refunds", "tokenizations", "reports", "customers", "emails"];
  const roots = [root, ...others.map((other) => [other])];
  return () => Promise.all(roots.map((queryKey) => client.invalidateQueries({ queryKey })));
}

/** Refetches soon while a payment is under way, and occasionally while one of the links can be paid. */
export const paymentLinksQueryOptions = (filter: PaymentLinkFilter) =>
  queryOptions({
    ...listOptions(endpoints.list, root, filter),
    refetchInterval: ({ state: { data } }) => {
      const has = (wanted: PaymentLink["status"]) => data?.rows.some(({ status }) => status === wanted);
      return has("Processing") ? 5_000 : has("Active") ? 60_000 : false;
    },
  });

export const paymentLinkQueryOptions = (id: string) =>
  queryOptions({ ...read(endpoints.get, { id }), queryKey: [...root, "one", id] });

/** The link while it can be paid, else null. Also null if it is not known: what the page offers with the link is left out then. */
export const payableLinkQueryOptions = (id: string) =>
  queryOptions({
    ...readWith((read) =>
      read(endpoints.get, { id }).then(
        (link) => (link.status === "Active" ? link : null),
        () => null,
      ),
    ),
    queryKey: [...root, "payable", id],
  });

/** Refetches soon while a payment is under way or due, and occasionally while the link can be paid. */
export function usePaymentLink(id: string, now: Date) {
  return useQuery({
    ...paymentLinkQueryOptions(id),
    refetchInterval: ({ state: { data } }) => {
      const due = !!data?.next_attempt_at && Date.parse(data.next_attempt_at) <= now.getTime();
      // A subscription's period may be waiting for an older one that is being charged.
      if (data?.status === "Active") return due ? 2_000 : data.subscription_id ? 5_000 : 15_000;
      return data?.status === "Processing" ? 2_000 : false;
    },
  });
}

export const funnelQueryOptions = (id: string) =>
  queryOptions({ ...read(paymentLinkFunnelEndpoints.funnel, { id }), queryKey: [...root, "funnel", id] });

export type NewPaymentLink = z.input<typeof paymentLinkInput>;

export function useCreatePaymentLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: NewPaymentLink; idempotencyKey: string }) =>
      call(endpoints.create, { body, idempotencyKey }),
    onSuccess: invalidate,
  });
}

export const readPaymentLink = (id: string) => call(endpoints.get, { id });

export function useUpdatePaymentLink() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, was }: { body: NewPaymentLink; was: PaymentLink }) =>
      call(endpoints.update, { id: was._id, body, ifMatch: was.updated_at }),
    onSettled: invalidate,
  });
}

type ChargeBody = z.input<typeof paymentEndpoints.charge.body>;

export function useChargePaymentLink(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ idempotencyKey, ...body }: ChargeBody & { idempotencyKey: string }) =>
      call(paymentEndpoints.charge, { id, body, idempotencyKey }),
    onSettled: invalidate,
  });
}

/** Sets whether staff wait for a bank transfer. A repetition changes nothing. */
export function useAwaitTransfer(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (awaiting: boolean) =>
      awaiting ? call(endpoints.awaitTransfer, { id }) : call(endpoints.stopAwaitingTransfer, { id }),
    onSettled: () => void invalidate(),
  });
}

export type ManualPaymentBody = z.input<typeof paymentEndpoints.markPaid.body>;

export function useMarkPaid(id: string) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: ({ body, idempotencyKey }: { body: ManualPaymentBody; idempotencyKey: string }) =>
      call(paymentEndpoints.markPaid, { id, body, idempotencyKey }),
    onSettled: invalidate,
  });
}

export type PaymentLinkAction = "activate" | "deactivate" | "remove" | "send";

interface ActionOnLink {
  id: string;
  action: PaymentLinkAction;
  idempotencyKey: string;
}

const act = ({ id, action, idempotencyKey }: ActionOnLink): Promise<PaymentLink> =>
  call(endpoints[action], { id, idempotencyKey });

/** For an action on several links: `run` for each, then `invalidate` once. */
export const usePaymentLinkBulk = () => ({ run: act, invalidate: useInvalidate() });

export function usePaymentLinkAction() {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: act,
    // Also after a refusal, because the row has changed. Not awaited: the row's own component reports the result.
    onSettled: () => void invalidate(),
  });
}
