import { handle, methods } from "@/lib/http/handle";
import { auditEndpoints as endpoints } from "@/lib/resources/audit-log/contract";
import { auditEntries } from "@/lib/resources/audit-log/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => auditEntries.list(tx, actor, query)),
);
