import { handle, methods } from "@/lib/http/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/resources/tokenizations/contract";
import { tokenizations } from "@/lib/resources/tokenizations/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => tokenizations.list(tx, actor, query)),
);
