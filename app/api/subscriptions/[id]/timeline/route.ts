import { handle, methods } from "@/lib/api/handle";
import { timelineEndpoints as endpoints } from "@/lib/timeline/contract";
import { timelineOfSubscription } from "@/lib/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofSubscription, ({ actor, params, query, tx }) =>
    timelineOfSubscription(tx, actor, params.id, query),
  ),
);
