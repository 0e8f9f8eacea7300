import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { enableWebhookEndpoint } from "@/lib/webhooks/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.enable, ({ actor, params, tx }) => enableWebhookEndpoint(tx, actor, params.id)),
);
