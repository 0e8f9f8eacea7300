import { queryOptions } from "@tanstack/react-query";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { read } from "@/lib/client/read";
import { customerEndpoints as endpoints } from "./contract";

const root = ["customers"] as const;

export const customersQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));

export const customerQueryOptions = (email: string) =>
  queryOptions({
    ...read(endpoints.get, { id: email }),
    queryKey: [...root, "one", email.toLowerCase()],
    refetchInterval: 15_000,
  });
