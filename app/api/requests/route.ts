import { handle, methods } from "@/lib/http/handle";
import { requestEndpoints as endpoints } from "@/lib/resources/requests/contract";
import { listRequests } from "@/lib/resources/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listRequests(tx, actor, query)),
);
