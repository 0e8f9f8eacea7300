import { handle, methods } from "@/lib/api/handle";
import { requestEndpoints as endpoints } from "@/lib/requests/contract";
import { listRequests } from "@/lib/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listRequests(tx, actor, query)),
);
