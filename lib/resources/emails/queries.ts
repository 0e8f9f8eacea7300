import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { type EmailSummary, emailEndpoints as endpoints } from "./contract";

const root = ["emails"] as const;

/** A mail is rendered within a second or two. */
const refetchMs = 1_500;
const isUnrendered = ({ subject, status }: EmailSummary) => subject === null && status !== "dropped";

export const emailsQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions({
    ...listOptions(endpoints.list, root, filter),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isUnrendered) ? refetchMs : false),
  });

/** How often a link's mail is looked up until it is no longer queued: at first often, then as rarely as it is tried again. */
const soonMs = 700;
const soonTimes = 30;
const laterMs = 10_000;

/** The newest mail with a payment link. Refetches until it has been sent, or was not. */
export const linkMailQueryOptions = (linkId: string) =>
  queryOptions({
    ...listOptions(endpoints.list, root, { payment_link_id: linkId, template: "payment_link", per_page: "1" }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.rows[0]?.status === "queued" ? (dataUpdateCount < soonTimes ? soonMs : laterMs) : false,
  });

/** The newest receipt of a payment. */
export const receiptMailQueryOptions = (paymentId: string) =>
  queryOptions({
    ...read(endpoints.list, { query: { payment_id: paymentId, template: "receipt", per_page: "1" } }),
    queryKey: [...root, "receipt", paymentId],
    staleTime: 0,
  });

export const emailQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) => (data && isUnrendered(data) ? refetchMs : false),
  });

export function useResendEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
      call(endpoints.resend, { id, idempotencyKey }),
    // The overview shows the newest e-mail about a problem.
    onSettled: () => Promise.all([root, ["reports"]].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
}
