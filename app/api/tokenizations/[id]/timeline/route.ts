import { handle, methods } from "@/lib/api/handle";
import { timelineEndpoints as endpoints } from "@/lib/timeline/contract";
import { timelineOfTokenization } from "@/lib/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofTokenization, ({ actor, params, query, tx }) =>
    timelineOfTokenization(tx, actor, params.id, query),
  ),
);
