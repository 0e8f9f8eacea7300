import { handle, methods } from "@/lib/http/handle";
import { auditEndpoints as endpoints } from "@/lib/resources/audit-log/contract";
import { listAudit } from "@/lib/resources/audit-log/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listAudit(tx, actor, query)),
);
