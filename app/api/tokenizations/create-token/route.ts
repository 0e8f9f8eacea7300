import { handle, methods } from "@/lib/http/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/resources/tokenizations/contract";
import { createTokenization } from "@/lib/resources/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.create, ({ actor, body, tx }) => createTokenization(tx, actor, body)),
);
