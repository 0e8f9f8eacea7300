import { handle, methods } from "@/lib/api/handle";
import { auditEndpoints as endpoints } from "@/lib/audit/contract";
import { listAudit } from "@/lib/audit/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listAudit(tx, actor, query)),
);
