import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import type { NewEvent } from "@/lib/outbox/record";
import type { EventType } from "@/lib/resources/events/types";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

export type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

export function subscriptionEvent(type: SubscriptionEvent, subscription: Subscription): NewEvent {
  const mails =
    type === "subscription.canceled"
      ? [{ template: "subscription_canceled" as const, to: subscription.email, props: { subscription } }]
      : [];
  return { type, data: subscription, mails };
}

export async function subscriptionEventsOf(
  tx: Db,
  tenant: Tenant,
  id: string,
  types: SubscriptionEvent[],
): Promise<NewEvent[]> {
  if (types.length === 0) return [];
  const subscription = await subscriptions.get(tx, tenant, id);
  return types.map((type) => subscriptionEvent(type, subscription));
}
