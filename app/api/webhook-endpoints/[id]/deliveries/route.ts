import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { listDeliveries } from "@/lib/resources/webhook-endpoints/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.deliveries, ({ actor, params, query, tx }) => listDeliveries(tx, actor, params.id, query)),
);
