import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { createWebhookEndpoint, listWebhookEndpoints } from "@/lib/webhooks/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listWebhookEndpoints(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createWebhookEndpoint(tx, actor, body)),
);
