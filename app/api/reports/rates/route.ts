import { handle, methods } from "@/lib/http/handle";
import { reportEndpoints as endpoints } from "@/lib/resources/reports/contract";
import { rates } from "@/lib/resources/reports/rates";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.rates, ({ actor, query, tx }) => rates(tx, actor, query)),
);
