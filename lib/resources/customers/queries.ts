import { queryOptions, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "@/lib/client/call";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { useMutation } from "@/lib/client/use-mutation";
import { type customerUpdate, customerEndpoints as endpoints } from "./contract";

const root = ["customers"] as const;

export const customersQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const customerQueryOptions = (email: string) =>
  queryOptions({
    ...read(endpoints.get, { id: email }),
    queryKey: [...root, "one", email.toLowerCase()],
    refetchInterval: 15_000,
  });

export type CustomerBody = z.input<typeof customerUpdate>;

export function useChangeCustomer(email: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CustomerBody) => call(endpoints.update, { id: email, body }),
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}
