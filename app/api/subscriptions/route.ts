import { handle, methods } from "@/lib/api/handle";
import { subscriptionEndpoints as endpoints } from "@/lib/subscriptions/contract";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { createSubscription } from "@/lib/subscriptions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => listSubscriptions(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createSubscription(tx, actor, body)),
);
