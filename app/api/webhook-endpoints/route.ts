import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";
import { createWebhookEndpoint } from "@/lib/resources/webhook-endpoints/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => webhookEndpoints.list(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createWebhookEndpoint(tx, actor, body)),
);
