import { handle, methods } from "@/lib/api/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/webhooks/contract";
import { rotateWebhookSecret } from "@/lib/webhooks/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.rotateSecret, ({ actor, params, body, tx }) =>
    rotateWebhookSecret(tx, actor, params.id, body.overlap_hours),
  ),
);
