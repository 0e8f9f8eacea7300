import { handle, methods } from "@/lib/http/handle";
import { gatewayAccountEndpoints as endpoints } from "@/lib/resources/gateway-accounts/contract";
import { disconnectGatewayAccount } from "@/lib/resources/gateway-accounts/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disconnect, ({ actor, params }) => disconnectGatewayAccount(actor, params.id)),
);
