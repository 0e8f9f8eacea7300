import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { read } from "@/lib/client/read";
import { auditEndpoints as endpoints } from "./contract";

export type AuditFilter = {
  action?: AuditAction;
  actor?: string;
  created_from?: string;
  created_to?: string;
  cursor?: string;
};

/** One page of entries, newest first. While the next page or filter loads, the previous rows stay. */
export const auditLogQueryOptions = (filter: AuditFilter) =>
  queryOptions({
    ...read(endpoints.list, { query: filter }),
    queryKey: ["audit-log", filter],
    placeholderData: keepPreviousData,
  });
