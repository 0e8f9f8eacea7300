import { handle, methods } from "@/lib/http/handle";
import { requestEndpoints as endpoints } from "@/lib/resources/requests/contract";
import { requests } from "@/lib/resources/requests/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => requests.get(tx, actor, params.id)),
);
