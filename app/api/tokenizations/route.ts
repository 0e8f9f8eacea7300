import { handle, methods } from "@/lib/api/handle";
import { tokenizationEndpoints as endpoints } from "@/lib/tokenizations/contract";
import { listTokenizations } from "@/lib/tokenizations/read";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listTokenizations(tx, actor, query)),
);
