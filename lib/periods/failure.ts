import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { closeLinks } from "./closing";
import { afterFailure, type DunningPolicy, type Failing, isHard, technicalReasons } from "./dunning";
import { type SubscriptionChange, type SubscriptionEvent, subscriptionEventsOf } from "./events";
import { type Period, tenantOf } from "./lock";
import { mayHaveStep, retryNow, stopSteps } from "./steps";

export interface FailedCharge {
  reason: string;
  /** The tokenization that was charged. */
  cardId: string;
}

/** Updates a period and its subscription after a failed charge of a saved card: schedules the next step, or ends dunning. */
export async function afterFailed(
  tx: Db,
  period: Period,
  { reason, cardId }: FailedCharge,
  now: Date,
): Promise<SubscriptionChange> {
  const policy = { days: period.dunning_days, end: period.dunning_end };
  const runs = !period.deleted && ["created", "active", "past_due", "unpaid"].includes(period.status);
  // `period` was read together with the lock and may be stale, so this is a separate query.
  const [link] = await queryRows<Failing & { other_card: boolean }>(
    tx,
    Prisma.sql`
    SELECT attempt_count, failed_at, next_step_at,
           coalesce((SELECT t.id FROM tokenization t
              WHERE t.business_id = l.business_id AND t.livemode = l.livemode AND t.status = 'active'
                AND t.declined_at IS NULL AND lower(t.email COLLATE "C") = lower(l.email COLLATE "C")
              ORDER BY t.activated_at DESC LIMIT 1) <> ${cardId}, false) AS other_card,
           (SELECT count(*) FROM payment p
             WHERE p.payment_link_id = l.id AND p.tokenization_id = ${cardId} AND p.reason = ANY(${technicalReasons}::text[])
               AND NOT EXISTS (SELECT FROM payment newer
                                WHERE newer.payment_link_id = l.id AND newer.tokenization_id = ${cardId}
                                  AND newer.started_at > p.started_at AND newer.reason <> ALL(${technicalReasons}::text[])))::int
             AS technical_count
      FROM payment_link l WHERE id = ${period.link_id}`,
  );
  if (!link) throw new Error(`There is no payment link ${period.link_id}.`);
  const after = afterFailure(policy, link, reason, now);
  // The payer saved another card meanwhile, which planned an earlier step than this failure does. Not compared with the clock: a
  // test clock stands still while a charge settles.
  const sooner = link.next_step_at !== null && !(after.next_step_at && after.next_step_at <= link.next_step_at);
  // A charge by staff does not begin the charges of an unpaid subscription again.
  const mayRetry = runs && !(period.status === "unpaid" && link.next_step_at === null);
  if (mayRetry && link.other_card && (isHard(reason) || sooner)) {
    await retryNow(tx, period.link_id, now);
    return unchanged;
  }
  const next = mayRetry ? after.next_step_at : null;
  await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link l SET attempt_count = ${after.attempt_count}, failed_at = ${after.failed_at},
           failure = ${after.failure},
           next_step_at = CASE WHEN ${mayHaveStep} THEN ${next}::timestamptz END
     WHERE id = ${period.link_id} AND status = 'Active'`,
  );
  if (!runs) return unchanged; // paused or ended during the charge
  const notifyPayer = after.countsAsFailure;
  if (after.exhausted) {
    const ended = await endDunning(tx, tenantOf(period), period.subscription_id, policy);
    // The mail about the cancellation suffices, because the links are closed.
    return { ...ended, notifyPayer: notifyPayer && !ended.events.includes("subscription.canceled") };
  }
  return { earlier: [], events: notifyPayer ? await markPastDue(tx, period.subscription_id) : [], notifyPayer };
}

const unchanged: SubscriptionChange = { earlier: [], events: [], notifyPayer: false };

/** active -> past_due, after a failed charge or when a period without a card is overdue. */
export async function markPastDue(tx: Db, subscriptionId: string): Promise<SubscriptionEvent[]> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = 'past_due' WHERE id = ${subscriptionId} AND status = 'active' RETURNING id`,
  );
  return rows.length > 0 ? ["subscription.past_due"] : [];
}

/**
 * Ends dunning: sets the status that the business's policy names and opens no further period. The open links of an unpaid
 * subscription stay payable, those of a cancelled one close. A subscription without any payment, and one that was to end with its period, is cancelled.
 * The caller records the events, after that of the failed payment or of the request to pay.
 */
export async function endDunning(
  tx: Db,
  tenant: Tenant,
  subscriptionId: string,
  { end }: DunningPolicy,
): Promise<Omit<SubscriptionChange, "notifyPayer">> {
  // Without dunning days, an active subscription gets here. It becomes past due first, as the states' rules demand.
  const earlier = await subscriptionEventsOf(tx, tenant, subscriptionId, await markPastDue(tx, subscriptionId));
  const [ended] = await queryRows<{ status: string }>(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = CASE WHEN status = 'created' OR cancel_at_period_end THEN 'cancel' ELSE ${end} END, ended_reason = 'unpaid',
           next_charge_at = NULL
     WHERE id = ${subscriptionId} AND status IN ('created', 'active', 'past_due') RETURNING status`,
  );
  if (ended?.status === "cancel") {
    earlier.push(...(await closeLinks(tx, subscriptionId)));
    return { earlier, events: ["subscription.canceled"] };
  }
  await stopSteps(tx, subscriptionId);
  return { earlier, events: ended ? ["subscription.unpaid"] : [] };
}
