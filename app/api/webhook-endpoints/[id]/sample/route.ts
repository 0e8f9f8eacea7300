import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { sendSample } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.sample, ({ actor, params, body, tx }) => sendSample(tx, actor, params.id, body.type)),
);
