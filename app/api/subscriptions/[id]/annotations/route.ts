import { handle, methods } from "@/lib/http/handle";
import { subscriptionEvent } from "@/lib/periods/events";
import { annotate } from "@/lib/resources/annotations/service";
import { subscriptionEndpoints as endpoints } from "@/lib/resources/subscriptions/contract";
import { subscriptions as resource } from "@/lib/resources/subscriptions/resource";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  handle(endpoints.annotate, ({ actor, params, body, tx }) =>
    annotate(
      tx,
      actor,
      { resource, event: (data) => subscriptionEvent("subscription.updated", data) },
      params.id,
      body,
    ),
  ),
);
