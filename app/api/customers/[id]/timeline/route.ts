import { handle, methods } from "@/lib/http/handle";
import { timelineEndpoints as endpoints } from "@/lib/resources/timeline/contract";
import { timelineOfCustomer } from "@/lib/resources/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofCustomer, ({ actor, params, query, tx }) => timelineOfCustomer(tx, actor, params.id, query)),
);
