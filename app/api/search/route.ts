import { handle, methods } from "@/lib/http/handle";
import { searchEndpoints as endpoints } from "@/lib/resources/search/contract";
import { searchAll } from "@/lib/resources/search/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.search, ({ actor, query, tx }) => searchAll(tx, actor, query.q)),
);
