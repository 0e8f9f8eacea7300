import { handle, methods } from "@/lib/api/handle";
import { requestEndpoints as endpoints } from "@/lib/requests/contract";
import { getRequest } from "@/lib/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getRequest(tx, actor, params.id)),
);
