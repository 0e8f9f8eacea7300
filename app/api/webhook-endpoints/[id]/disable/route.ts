import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { disableWebhookEndpoint } from "@/lib/resources/webhook-endpoints/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.disable, ({ actor, params, tx }) => disableWebhookEndpoint(tx, actor, params.id)),
);
