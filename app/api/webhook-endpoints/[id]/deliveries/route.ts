import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { listDeliveries } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.deliveries, ({ actor, params, query, tx }) => listDeliveries(tx, actor, params.id, query)),
);
