import { handle, methods } from "@/lib/api/handle";
import { webhookDeliveryEndpoints as endpoints } from "@/lib/webhooks/contract";
import { getDelivery } from "@/lib/webhooks/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.getDelivery, ({ actor, params, tx }) => getDelivery(tx, actor, params.id)),
);
