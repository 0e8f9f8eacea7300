import { handle, methods } from "@/lib/http/handle";
import { payoutEndpoints as endpoints } from "@/lib/resources/payouts/contract";
import { refreshBalance } from "@/lib/resources/payouts/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.refresh, ({ actor, tx }) => refreshBalance(tx, actor)),
);
