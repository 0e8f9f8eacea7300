import { handle, methods } from "@/lib/api/handle";
import { webhookDeliveryEndpoints as endpoints } from "@/lib/webhooks/contract";
import { redeliver } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.redeliver, ({ actor, params, tx }) => redeliver(tx, actor, params.id)),
);
