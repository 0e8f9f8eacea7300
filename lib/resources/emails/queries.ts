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
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}
