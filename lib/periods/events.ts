import type { Tenant } from "@/lib/auth/actor";
import type { Db } from "@/lib/core/db";
import type { Told } from "@/lib/outbox/record";
import type { EventType } from "@/lib/resources/events/types";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

export type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

/** What has happened to a subscription, with the mail that tells its payer of it if there is one. */
export function told(type: SubscriptionEvent, subscription: Subscription): Told {
  const mails =
    type === "subscription.canceled"
      ? [{ template: "subscription_canceled" as const, to: subscription.email, props: { subscription } }]
      : [];
  return { type, data: subscription, mails };
}

/** The same for a subscription that is to be read first. Nothing is read when nothing has happened. */
export async function toldOf(tx: Db, tenant: Tenant, id: string, types: SubscriptionEvent[]): Promise<Told[]> {
  if (types.length === 0) return [];
  const subscription = await subscriptions.get(tx, tenant, id);
  return types.map((type) => told(type, subscription));
}
