import { handle, methods } from "@/lib/api/handle";
import { timelineEndpoints as endpoints } from "@/lib/timeline/contract";
import { timelineOfPackage } from "@/lib/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofPackage, ({ actor, params, query, tx }) => timelineOfPackage(tx, actor, params.id, query)),
);
