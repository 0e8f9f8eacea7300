import { handle, methods } from "@/lib/http/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/resources/tokenizations/contract";
import { getTokenization, revokeTokenization } from "@/lib/resources/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getTokenization(tx, actor, params.id)),
  handle(endpoints.revoke, ({ actor, params, tx }) => revokeTokenization(tx, actor, params.id)),
);
