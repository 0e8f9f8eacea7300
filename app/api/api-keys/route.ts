import { handle, methods } from "@/lib/api/handle";
import { apiKeyEndpoints as endpoints } from "@/lib/api-keys/contract";
import { createKey, listKeys } from "@/lib/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ tx, actor, body }) => createKey(tx, actor, body)),
  handle(endpoints.list, ({ tx, actor, query }) => listKeys(tx, actor, query)),
);
