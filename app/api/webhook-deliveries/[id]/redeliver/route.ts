import { handle, methods } from "@/lib/http/handle";
import { webhookDeliveryEndpoints as endpoints } from "@/lib/resources/webhook-endpoints/contract";
import { redeliver } from "@/lib/resources/webhook-endpoints/deliveries";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.redeliver, ({ actor, params, tx }) => redeliver(tx, actor, params.id)),
);
