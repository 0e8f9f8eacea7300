import { handle, methods } from "@/lib/http/handle";
import { payoutEndpoints as endpoints } from "@/lib/resources/payouts/contract";
import { payouts } from "@/lib/resources/payouts/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => payouts.list(tx, actor, query)),
);
