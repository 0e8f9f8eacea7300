import type { Db } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import { closeFailed } from "./closing";
import { type SubscriptionChange, type SubscriptionEvent, subscriptionEventsOf } from "./events";
import { afterFailed } from "./failure";
import { type Period, tenantOf } from "./lock";
import { recover } from "./recovery";
import { scheduleOldest } from "./steps";

export interface Settled {
  reason: string | null;
  /** The tokenization of an off-session charge; null for the payer's own attempt, whose failure does not change the subscription. */
  cardId: string | null;
  /** Whether other periods are open. Must be read after the subscription was locked. */
  otherOpen: boolean;
  now: Date;
}

/**
 * Updates the subscription after a period's payment has settled, in the settling transaction (docs/billing.md).
 * @param period locked before the link was written
 */
export async function afterSettled(
  tx: Db,
  period: Period,
  { reason, cardId, otherOpen, now }: Settled,
): Promise<SubscriptionChange> {
  const closed = reason !== null && isEnded(period) ? await closeFailed(tx, period.link_id) : [];
  if (closed.length > 0) return { earlier: closed, events: [], notifyPayer: false };
  if (reason !== null && cardId !== null) return afterFailed(tx, period, { reason, cardId }, now);
  const events = reason === null ? paidEvents(period, await recover(tx, period, now, true)) : [];
  // A failed period is itself open. A paid one leaves work only if another period is open.
  if (otherOpen || reason !== null) await scheduleOldest(tx, period.subscription_id, now);
  return { earlier: [], events, notifyPayer: false };
}

const isEnded = ({ status }: Period): boolean => status === "cancel" || status === "completed";

function paidEvents(period: Period, recovered: SubscriptionEvent[]): SubscriptionEvent[] {
  if (period.deleted || isEnded(period)) return [];
  if (period.status === "created") return ["subscription.activated"];
  return ["subscription.renewed", ...recovered];
}

export async function afterWaived(tx: Db, period: Period, now: Date): Promise<void> {
  // A subscription in `created` becomes active through its first payment only.
  const events = period.status === "created" ? [] : await recover(tx, period, now, false);
  await scheduleOldest(tx, period.subscription_id, now);
  const tenant = tenantOf(period);
  await record(tx, tenant, await subscriptionEventsOf(tx, tenant, period.subscription_id, events));
}
