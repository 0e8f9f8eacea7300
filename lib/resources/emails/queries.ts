import { keepPreviousData, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "@/lib/client/call";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { type EmailSummary, emailEndpoints as endpoints } from "./contract";

export type EmailFilter = {
  status?: EmailSummary["status"];
  to?: string;
  payment_link_id?: string;
  subscription_id?: string;
  cursor?: string;
};

const root = ["emails"] as const;

/** A mail is written within a second or two: then it is worth looking again. */
const soon = 1_500;

/** One page of mails, newest first. While the next page or filter loads, the previous rows stay. */
export const emailsQueryOptions = (filter: EmailFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: [...root, "list", filter],
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.rows.some(({ subject }) => subject === null) ? soon : false),
  });

export const emailQueryOptions = (id: string) =>
  queryOptions({
    ...read(endpoints.get, { id }),
    queryKey: [...root, "one", id],
    refetchInterval: ({ state: { data } }) => (data && data.subject === null ? soon : false),
  });

export function useResendEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, idempotencyKey }: { id: string; idempotencyKey: string }) =>
      call(endpoints.resend, { id, idempotencyKey }),
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}
