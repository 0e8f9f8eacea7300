import { handle, methods } from "@/lib/api/handle";
import { subscriptionEndpoints as endpoints } from "@/lib/subscriptions/contract";
import { getSubscription } from "@/lib/subscriptions/read";
import { removeSubscription, updateSubscription } from "@/lib/subscriptions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => getSubscription(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params, body, tx }) => updateSubscription(tx, actor, params.id, body)),
  handle(endpoints.remove, ({ actor, params, tx }) => removeSubscription(tx, actor, params.id)),
);
