import { handle, methods } from "@/lib/http/handle";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { createSubscription } from "@/lib/resources/subscriptions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.list, ({ actor, query, tx }) => subscriptions.list(tx, actor, query)),
  handle(endpoints.create, ({ actor, body, tx }) => createSubscription(tx, actor, body)),
);
