import { clock } from "@/lib/core/clock";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { gatewayOf } from "@/lib/gateways/for-business";
import { beginAttempt } from "@/lib/ledger/attempt";
import { performCharge } from "@/lib/ledger/charge";
import { type NewEvent, record } from "@/lib/outbox/record";
import { endDunning, lockRunning, markPastDue } from "@/lib/periods/after-settlement";
import { type DunningPolicy, isHard, nextStep, noCard } from "@/lib/periods/dunning";
import { type SubscriptionEvent, subscriptionEventsOf } from "@/lib/periods/events";
import { paymentLinks } from "@/lib/resources/payment-links/resource";

interface Owed {
  id: string;
  subscription_id: string;
  business_id: number;
  livemode: boolean;
  amount_cents: number;
  currency: string;
  title: string;
  failure: string | null;
  failed_at: Date | null;
  other_open: boolean;
  /** Null for a period that had to wait for an older one. */
  next_step_at: Date | null;
  period_end: Date;
  dunning_days: number[];
  dunning_end: DunningPolicy["end"];
  merchant: string;
  card_id: string | null;
  gateway: string;
  gateway_account_id: string | null;
  gateway_card: string;
}

/**
 * Finds the oldest open period, unless it is in flight. Only the oldest is charged, so that periods are paid in order
 * and a card is not charged for several at once. The card is the one saved last.
 */
async function findOwed(subscriptionId: string, now: Date): Promise<Owed | null> {
  const [owed] = await queryRows<Owed>(
    db,
    Prisma.sql`
    SELECT l.id, s.id AS subscription_id, s.business_id, s.livemode, l.amount_cents, l.currency, l.title, l.failure,
           l.failed_at, l.next_step_at, l.period_end,
           EXISTS (SELECT FROM payment_link o WHERE o.subscription_id = s.id AND o.id <> l.id AND o.deleted_at IS NULL
                      AND o.status IN ('Active', 'Processing')) AS other_open, b.dunning_days, b.dunning_end, b.name AS merchant,
           t.id AS card_id, t.gateway, t.gateway_account_id, t.gateway_card
      FROM subscription s
      JOIN business b ON b.id = s.business_id
      JOIN LATERAL (
        SELECT * FROM payment_link WHERE subscription_id = s.id AND status IN ('Active', 'Processing') AND deleted_at IS NULL
         ORDER BY period_index LIMIT 1) l ON true
      LEFT JOIN LATERAL (
        SELECT * FROM tokenization WHERE business_id = s.business_id AND livemode = s.livemode AND status = 'active'
           AND lower(email COLLATE "C") = lower(s.email COLLATE "C")
         ORDER BY activated_at DESC LIMIT 1) t ON true
     WHERE s.id = ${subscriptionId} AND s.deleted_at IS NULL AND s.status IN ('created', 'active', 'past_due', 'unpaid')
       AND l.status = 'Active'
       AND (l.next_step_at <= ${now} OR (l.next_step_at IS NULL AND l.failed_at IS NULL AND l.period_start <= ${now}))`,
  );
  return owed ?? null;
}

/**
 * Charges a subscription's due periods, oldest first, until none is left or a charge fails. Safe to run concurrently: a
 * link has one open attempt at a time and is paid once.
 */
export async function collect(subscriptionId: string): Promise<void> {
  for (;;) {
    const owed = await findOwed(subscriptionId, clock.now());
    if (!owed) return;
    if (owed.card_id === null) return waitForPayer(owed);
    if (isHard(owed.failure)) return endAfterHardDecline(owed);
    if (!(await charge(owed, owed.card_id)) || !owed.other_open) return;
  }
}

/** @returns whether the period is paid */
async function charge(owed: Owed, tokenizationId: string): Promise<boolean> {
  const gateway = await gatewayOf(owed).catch((err: unknown) => {
    log.error({ err, link: owed.id }, "the gateway account of a saved card cannot be used: waiting for the payer");
    return null;
  });
  const shown = { amountCents: owed.amount_cents, currency: owed.currency };
  if (gateway && !gateway.supportsAmount(shown.amountCents, shown.currency))
    log.warn({ link: owed.id }, "the gateway cannot take a period's amount: waiting for the payer");
  if (!gateway?.supportsAmount(shown.amountCents, shown.currency)) {
    await waitForPayer(owed);
    return false;
  }
  const attempt = await beginAttempt({
    ...{ id: newId("pay"), linkId: owed.id, shown, gateway, tokenizationId },
    step: { subscriptionId: owed.subscription_id, at: owed.next_step_at },
  });
  if (!attempt) return postpone(owed);
  const result = await performCharge(attempt, () =>
    gateway.chargeSaved({
      gatewayKey: attempt.gatewayKey,
      startedAt: attempt.startedAt,
      ...shown,
      cardRef: owed.gateway_card,
      merchant: owed.merchant,
      title: owed.title,
      now: clock.now(),
    }),
  );
  return result?.outcome === "succeeded";
}

/**
 * Retries in an hour when the attempt could not start: another process charges the link, or the card no longer matches.
 * Does nothing if the period has changed since. The delay prevents a busy loop.
 */
async function postpone(owed: Owed): Promise<false> {
  await transaction(db, async (tx) => {
    if (await lockRunning(tx, owed.subscription_id))
      await step(tx, owed, Prisma.sql`next_step_at = ${new Date(clock.now().getTime() + 3_600_000)}`);
  });
  return false;
}

/**
 * Waits for the payer when no card can be charged: through the dunning days, or until the period ends if there are
 * none. No charge has failed, so there is no `payment.failed`. From the first dunning day on the subscription is past
 * due.
 */
function waitForPayer(owed: Owed): Promise<void> {
  const policy = { days: owed.dunning_days, end: owed.dunning_end };
  const now = clock.now();
  const since = owed.failed_at ?? now; // not period_start: after a downtime the payer has not got the link yet
  const untilEnd = owed.period_end > now ? owed.period_end : null;
  const next = policy.days.length > 0 ? nextStep(policy, since, now) : untilEnd;
  const overdue = now.getTime() >= since.getTime() + (policy.days[0] ?? Number.POSITIVE_INFINITY) * 86_400_000;
  return transaction(db, async (tx) => {
    if (!(await lockRunning(tx, owed.subscription_id))) return;
    const set = Prisma.sql`failed_at = ${since}, failure = ${noCard}, next_step_at = ${next}`;
    if (!(await step(tx, owed, set))) return;
    const events =
      next === null
        ? await endDunning(tx, owed.subscription_id, policy)
        : overdue
          ? await markPastDue(tx, owed.subscription_id)
          : [];
    await recordWaiting(tx, owed, next !== null, events);
  });
}

/** @param askPayer whether to mail the payer a request to pay */
async function recordWaiting(tx: Db, owed: Owed, askPayer: boolean, events: SubscriptionEvent[]): Promise<void> {
  const tenant = { businessId: owed.business_id, livemode: owed.livemode };
  const requests: NewEvent[] = [];
  if (askPayer) {
    const link = await paymentLinks.get(tx, tenant, owed.id);
    const mails = [{ template: "payment_link" as const, to: link.email, props: { link } }];
    requests.push({ type: "payment_link.awaiting_payer", data: link, mails });
  }
  await record(tx, tenant, [...requests, ...(await subscriptionEventsOf(tx, tenant, owed.subscription_id, events))]);
}

/** Ends dunning on the last dunning day after a hard decline, if the payer saved no other card. */
function endAfterHardDecline(owed: Owed): Promise<void> {
  return transaction(db, async (tx) => {
    if (!(await lockRunning(tx, owed.subscription_id))) return;
    if (!(await step(tx, owed, Prisma.sql`next_step_at = NULL`))) return;
    const policy = { days: owed.dunning_days, end: owed.dunning_end };
    await recordWaiting(tx, owed, false, await endDunning(tx, owed.subscription_id, policy));
  });
}

/** @returns false when the period has changed since `findOwed`: it is not open, or its amount or step differs */
async function step(tx: Db, owed: Owed, set: Prisma.Sql): Promise<boolean> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET ${set}
     WHERE id = ${owed.id} AND status = 'Active' AND deleted_at IS NULL AND amount_cents = ${owed.amount_cents}
       AND date_trunc('milliseconds', next_step_at) IS NOT DISTINCT FROM ${owed.next_step_at}::timestamptz
    RETURNING id`,
  );
  return rows.length > 0;
}
