import { handle, methods } from "@/lib/http/handle";
import { reportEndpoints as endpoints } from "@/lib/resources/reports/contract";
import { overview } from "@/lib/resources/reports/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.overview, ({ actor, query, tx }) => overview(tx, actor, query)),
);
