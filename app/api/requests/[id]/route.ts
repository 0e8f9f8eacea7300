import { handle, methods } from "@/lib/http/handle";
import { requestEndpoints as endpoints } from "@/lib/resources/requests/contract";
import { getRequest } from "@/lib/resources/requests/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getRequest(tx, actor, params.id)),
);
