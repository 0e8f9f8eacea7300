import { handle, methods } from "@/lib/http/handle";
import { ifUnchanged } from "@/lib/http/if-match";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";
import { removeSubscription, updateSubscription } from "@/lib/resources/subscriptions/service";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.get, ({ actor, params, tx }) => subscriptions.get(tx, actor, params.id)),
  handle(endpoints.update, ({ actor, params: { id }, body, tx, ifMatch: readAt }) =>
    ifUnchanged(tx, actor, { table: "subscription", id, readAt }, (tx) => updateSubscription(tx, actor, id, body)),
  ),
  handle(endpoints.remove, ({ actor, params, tx }) => removeSubscription(tx, actor, params.id)),
);
