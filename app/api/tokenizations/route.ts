import { handle, methods } from "@/lib/http/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/resources/tokenizations/contract";
import { listTokenizations } from "@/lib/resources/tokenizations/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listTokenizations(tx, actor, query)),
);
