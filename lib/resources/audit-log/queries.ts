import { queryOptions } from "@tanstack/react-query";
import { type ListFilter, listOptions } from "@/lib/client/list-options";
import { auditEndpoints as endpoints } from "./contract";

const root = ["audit-log"] as const;

export const auditLogQueryOptions = (filter: ListFilter<typeof endpoints.list>) =>
  queryOptions(listOptions(endpoints.list, root, filter));
