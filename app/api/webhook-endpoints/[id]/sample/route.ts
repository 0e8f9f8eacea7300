import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { sendSample } from "@/lib/resources/webhook-endpoints/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.sample, ({ actor, params, body, tx }) => sendSample(tx, actor, params.id, body.type)),
);
