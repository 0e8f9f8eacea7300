import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, rowsOf } from "@/lib/core/db";
import type { NewEvent } from "@/lib/outbox/record";
import type { EventType } from "@/lib/resources/events/types";
import type { Subscription } from "@/lib/resources/subscriptions/contract";
import { subscriptions } from "@/lib/resources/subscriptions/resource";

export type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

export interface SubscriptionChange {
  /** To be recorded before `events`, each with its row as it was then. */
  earlier: NewEvent[];
  /** To be recorded with the subscription as it is at the end of the change. */
  events: SubscriptionEvent[];
  notifyPayer: boolean;
}

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

/** Subscriptions as the API shows them, by id. */
export async function findSubscriptions(tx: Db, ids: string[]): Promise<Map<string, Subscription>> {
  if (ids.length === 0) return new Map();
  const wanted = rowsOf(
    ids.map((id) => ({ id })),
    Prisma.sql`id text`,
  );
  const rows = await queryRows<{ row: Subscription }>(
    tx,
    Prisma.sql`
    SELECT to_json(r) AS row FROM (SELECT ${subscriptions.columns()} FROM subscription
     WHERE id IN (SELECT id FROM ${wanted} AS wanted)) AS r`,
  );
  return new Map(rows.map(({ row }) => [row._id, row]));
}
