import { handle, methods } from "@/lib/api/handle";
import { reportEndpoints as endpoints } from "@/lib/reports/contract";
import { overview } from "@/lib/reports/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.overview, ({ actor, query, tx }) => overview(tx, actor, query)),
);
