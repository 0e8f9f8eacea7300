import { handle, methods } from "@/lib/api/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/tokenizations/contract";
import { createTokenization } from "@/lib/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ actor, body, tx }) => createTokenization(tx, actor, body)),
);
