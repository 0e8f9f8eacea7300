import { handle, methods } from "@/lib/http/handle";
import { webhookEndpointEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { rotateWebhookSecret } from "@/lib/resources/webhook-endpoints/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.rotateSecret, ({ actor, params, body, tx }) =>
    rotateWebhookSecret(tx, actor, params.id, body.overlap_hours),
  ),
);
