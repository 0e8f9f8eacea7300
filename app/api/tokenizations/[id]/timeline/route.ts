import { handle, methods } from "@/lib/http/handle";
import { timelineEndpoints as endpoints } from "@/lib/resources/timeline/contract";
import { timelineOfTokenization } from "@/lib/resources/timeline/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.ofTokenization, ({ actor, params, query, tx }) =>
    timelineOfTokenization(tx, actor, params.id, query),
  ),
);
