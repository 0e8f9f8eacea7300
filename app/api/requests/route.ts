import { handle, methods } from "@/lib/http/handle";
import { requestEndpoints as endpoints } from "@/lib/resources/requests/contract";
import { requestSummaries } from "@/lib/resources/requests/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => requestSummaries.list(tx, actor, query)),
);
