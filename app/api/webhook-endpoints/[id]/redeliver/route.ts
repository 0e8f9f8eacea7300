import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { redeliverFailed } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.redeliverFailed, ({ actor, params, body, tx }) => redeliverFailed(tx, actor, params.id, body.since)),
);
