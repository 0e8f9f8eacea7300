import { handle, methods } from "@/lib/http/handle";
import { apiKeyEndpoints as endpoints } from "@/lib/resources/api-keys/contract";
import { rotateKey } from "@/lib/resources/api-keys/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.rotate, ({ tx, actor, params, body }) => rotateKey(tx, actor, params.id, body)),
);
