import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { disableWebhookEndpoint } from "@/lib/webhooks/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disable, ({ actor, params, tx }) => disableWebhookEndpoint(tx, actor, params.id)),
);
