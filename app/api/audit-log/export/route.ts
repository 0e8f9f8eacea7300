import { db } from "@/lib/core/db";
import { exportList } from "@/lib/http/csv-list";
import { handle, methods } from "@/lib/http/handle";
import { auditColumns, auditEndpoints as endpoints } from "@/lib/resources/audit-log/contract";
import { auditEntries } from "@/lib/resources/audit-log/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.export, ({ actor, query }) =>
    exportList(actor, query, {
      action: "audit_log.exported",
      columns: auditColumns,
      list: (page) => auditEntries.list(db, actor, page),
    }),
  ),
);
