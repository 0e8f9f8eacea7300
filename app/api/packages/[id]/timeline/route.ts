import { handle, methods } from "@/lib/http/handle";
import { timelineEndpoints as endpoints } from "@/lib/resources/timeline/contract";
import { timelineOfPackage } from "@/lib/resources/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofPackage, ({ actor, params, query, tx }) => timelineOfPackage(tx, actor, params.id, query)),
);
