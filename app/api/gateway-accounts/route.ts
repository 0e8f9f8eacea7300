import { handle, methods } from "@/lib/api/handle";
import { gatewayAccountEndpoints as endpoints } from "@/lib/gateway-accounts/contract";
import { connectGatewayAccount, listGatewayAccounts } from "@/lib/gateway-accounts/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listGatewayAccounts(tx, actor, query)),
  handle(endpoints.connect, ({ actor, body }) => connectGatewayAccount(actor, body)),
);
