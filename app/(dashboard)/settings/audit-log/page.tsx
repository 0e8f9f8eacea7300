import { titledFor } from "@/app/(dashboard)/dashboard-page";
import { listPage } from "@/app/(dashboard)/list-page";
import { AuditPage } from "@/components/audit-log/audit-page";
import { auditFilters } from "@/components/audit-log/filters";
import { auditEndpoints } from "@/lib/resources/audit-log/contract";
import { auditLogQueryOptions } from "@/lib/resources/audit-log/queries";

export const generateMetadata = titledFor(auditEndpoints.list, "auditLog");

export default listPage("/settings/audit-log", AuditPage, {
  filters: auditFilters,
  query: auditLogQueryOptions,
  endpoint: auditEndpoints.list,
});
