import { handle, methods } from "@/lib/http/handle";
import { ifUnchanged } from "@/lib/http/if-match";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { webhookEndpoints } from "@/lib/resources/webhook-endpoints/resource";
import { removeWebhookEndpoint, updateWebhookEndpoint } from "@/lib/resources/webhook-endpoints/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => webhookEndpoints.get(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params: { id }, body, tx, ifMatch: readAt }) =>
    ifUnchanged(tx, actor, { table: "webhook_endpoint", id, readAt }, (tx) =>
      updateWebhookEndpoint(tx, actor, id, body),
    ),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removeWebhookEndpoint(tx, actor, params.id)),
);
