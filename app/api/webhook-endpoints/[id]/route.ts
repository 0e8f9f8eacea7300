import { handle, methods } from "@/lib/api/handle";
import { ifUnchanged } from "@/lib/api/unchanged";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { getWebhookEndpoint, removeWebhookEndpoint, updateWebhookEndpoint } from "@/lib/webhooks/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getWebhookEndpoint(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params: { id }, body, tx, ifMatch: readAt }) =>
    ifUnchanged(tx, actor, { table: "webhook_endpoint", id, readAt }, (tx) =>
      updateWebhookEndpoint(tx, actor, id, body),
    ),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removeWebhookEndpoint(tx, actor, params.id)),
);
