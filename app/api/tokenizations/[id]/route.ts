import { handle, methods } from "@/lib/api/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/tokenizations/contract";
import { getTokenization } from "@/lib/tokenizations/read";
import { revokeTokenization } from "@/lib/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getTokenization(tx, actor, params.id)),
  handle(endpoints.revoke, ({ actor, params, tx }) => revokeTokenization(tx, actor, params.id)),
);
