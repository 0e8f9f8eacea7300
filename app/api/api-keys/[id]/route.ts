import { handle, methods } from "@/lib/api/handle";
import { apiKeyEndpoints as endpoints } from "@/lib/api-keys/contract";
import { getKey, revokeKey } from "@/lib/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor, params }) => getKey(tx, actor, params.id)),
  handle(endpoints.remove, ({ tx, actor, params }) => revokeKey(tx, actor, params.id)),
);
