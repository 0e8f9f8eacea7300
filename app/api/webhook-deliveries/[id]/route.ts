import { handle, methods } from "@/lib/http/handle";
import { webhookDeliveryEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { getDelivery } from "@/lib/resources/webhook-endpoints/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.getDelivery, ({ actor, params, tx }) => getDelivery(tx, actor, params.id)),
);
