import { handle, methods } from "@/lib/http/handle";
import { timelineEndpoints as endpoints } from "@/lib/resources/timeline/contract";
import { timelineOfSubscription } from "@/lib/resources/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofSubscription, ({ actor, params, query, tx }) =>
    timelineOfSubscription(tx, actor, params.id, query),
  ),
);
