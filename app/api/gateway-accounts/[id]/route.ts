import { handle, methods } from "@/lib/api/handle";
import { gatewayAccountEndpoints as endpoints } from "@/lib/gateway-accounts/contract";
import { disconnectGatewayAccount } from "@/lib/gateway-accounts/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disconnect, ({ actor, params }) => disconnectGatewayAccount(actor, params.id)),
);
