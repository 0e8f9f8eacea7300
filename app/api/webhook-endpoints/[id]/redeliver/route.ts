import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { redeliverFailed } from "@/lib/resources/webhook-endpoints/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.redeliverFailed, ({ actor, params, body, tx }) => redeliverFailed(tx, actor, params.id, body.since)),
);
