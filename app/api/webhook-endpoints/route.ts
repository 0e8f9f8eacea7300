import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { createWebhookEndpoint, listWebhookEndpoints } from "@/lib/resources/webhook-endpoints/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listWebhookEndpoints(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createWebhookEndpoint(tx, actor, body)),
);
