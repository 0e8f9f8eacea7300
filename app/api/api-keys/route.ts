import { handle, methods } from "@/lib/http/handle";
import { apiKeyEndpoints as endpoints } from "@/lib/resources/api-keys/contract";
import { apiKeys } from "@/lib/resources/api-keys/resource";
import { createKey } from "@/lib/resources/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ tx, actor, body }) => createKey(tx, actor, body)),
  handle(endpoints.list, ({ tx, actor, query }) => apiKeys.list(tx, actor, query)),
);
