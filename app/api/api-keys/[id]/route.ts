import { handle, methods } from "@/lib/http/handle";
import { apiKeyEndpoints as endpoints } from "@/lib/resources/api-keys/contract";
import { apiKeys } from "@/lib/resources/api-keys/resource";
import { revokeKey } from "@/lib/resources/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ tx, actor, params }) => apiKeys.get(tx, actor, params.id)),
  handle(endpoints.remove, ({ tx, actor, params }) => revokeKey(tx, actor, params.id)),
);
