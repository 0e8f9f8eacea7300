import { handle, methods } from "@/lib/http/handle";
import { gatewayAccountEndpoints as endpoints } from "@/lib/resources/gateway-accounts/contract";
import { gatewayAccounts } from "@/lib/resources/gateway-accounts/resource";
import { connectGatewayAccount } from "@/lib/resources/gateway-accounts/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => gatewayAccounts.list(tx, actor, query)),
  handle(endpoints.connect, ({ actor, body }) => connectGatewayAccount(actor, body)),
);
