import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { call } from "@/lib/client/call";
import { auditEndpoints as endpoints } from "@/lib/resources/audit-log/contract";

export type AuditFilter = {
  action?: AuditAction;
  actor?: string;
  created_from?: string;
  created_to?: string;
  cursor?: string;
};

/** One page of entries, newest first. */
export function useAuditLog(filter: AuditFilter) {
  return useQuery({
    queryKey: ["audit-log", filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: filter, signal }),
    placeholderData: keepPreviousData,
  });
}
