import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { Gateway } from "@/lib/gateways/gateway";
import { adoptCharges } from "@/lib/ledger/adopt";
import type { Attempt, Shown } from "@/lib/ledger/attempt";
import { aboutOf, performCharge, startAttempt } from "@/lib/ledger/charge";
import { assertCompared } from "@/lib/ledger/compare";
import { chargingGatewayOf } from "@/lib/ledger/gateways";
import { type NewEvent, record } from "@/lib/outbox/record";
import { periodStart } from "@/lib/periods/calendar";
import { isHard, nextStep, noCard } from "@/lib/periods/dunning";
import { type SubscriptionChange, subscriptionEventsOf } from "@/lib/periods/events";
import { endDunning, markPastDue } from "@/lib/periods/failure";
import { lockRunning } from "@/lib/periods/lock";
import { tomorrow } from "@/lib/periods/steps";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import { type BillingState, findBillingState } from "./billing-state";
import { openCharging, openPeriods } from "./periods";

/** A state whose oldest open period is due. */
type Owed = BillingState & { link_id: string };

function isOwed(state: BillingState, now: Date): state is Owed {
  if (!state.running || state.link_id === null || state.link_status !== "Active") return false;
  if (state.awaiting_transfer) return false;
  if (state.next_step_at !== null) return state.next_step_at <= now;
  return state.failed_at === null && state.period_start <= now;
}

/**
 * Creates the links of a subscription's due periods and charges them, oldest first, until none is left or a charge fails, by
 * the caller's clock. Safe to run concurrently: a link has one open attempt at a time and is paid once.
 */
export async function openAndCollect(start: BillingState): Promise<void> {
  if (await chargeNewPeriod(start)) return;
  await openPeriods(start);
  for (;;) {
    const owed = await findBillingState(start.id);
    if (!owed || !isOwed(owed, clock.now())) return;
    if (owed.unknown_charges && (await adoptCharges({ subscriptionId: owed.id })) > 0) continue;
    if (owed.unknown_charge) return void (await postpone(owed)); // until staff resolve it
    if (owed.card_id === null) return waitForPayer(owed);
    if (!(await chargeOwed(owed, owed.card_id)) || !owed.other_open) return;
  }
}

/**
 * Creates the link of the only due period and charges it at once.
 * @returns false, with nothing done, when the period cannot be charged at once
 */
async function chargeNewPeriod(state: BillingState): Promise<boolean> {
  const now = clock.now();
  const { next_charge_at, next_period, card_id, link_id } = state;
  if (state.unknown_charges) return false;
  if (next_charge_at === null || next_charge_at > now || card_id === null || link_id !== null) return false;
  if (state.cancel_at_period_end && next_period > 0) return false;
  if (periodStart(state, next_period + 1) <= now) return false;
  const shown = { amountCents: state.next_cents, currency: state.package_currency };
  const gateway = await gatewayOfCard(state, shown);
  if (!gateway) return false;
  const attempt = await openCharging({ due: { ...state, next_charge_at, card_id }, gateway });
  if (!attempt) return false;
  const period = { title: state.package_title, period_index: next_period, reference: null };
  await chargeCard(attempt, gateway, state, { ...shown, ...period });
  return true;
}

/** @returns whether the period is paid */
async function chargeOwed(owed: Owed, tokenizationId: string): Promise<boolean> {
  const shown = { amountCents: owed.amount_cents, currency: owed.currency };
  const gateway = await gatewayOfCard(owed, shown);
  if (!gateway) {
    await waitForPayer(owed);
    return false;
  }
  const attempt = await startAttempt({
    ...{ id: newId("pay"), linkId: owed.link_id, shown, gateway, tokenizationId },
    step: { subscriptionId: owed.id, at: owed.next_step_at },
  });
  if (!attempt) return postpone(owed);
  const { title, period_index, reference } = owed;
  const result = await chargeCard(attempt, gateway, owed, { ...shown, title, period_index, reference });
  return result?.outcome === "succeeded";
}

/**
 * The gateway of the saved card; null when it cannot charge the amount or refuses a call that a charge needs, so that the payer has to pay.
 * @throws ApiError gateway_away when its account was not compared with the ledger yet: the job is repeated
 */
async function gatewayOfCard(state: BillingState, { amountCents, currency }: Shown): Promise<Gateway | null> {
  const gateway = await chargingGatewayOf(state).catch((err: unknown) => {
    if (isDatabaseAway(err)) throw err; // says nothing about the card
    log.error(
      { err, subscription: state.id },
      "the gateway account of a saved card cannot be used: waiting for the payer",
    );
    return null;
  });
  if (!gateway) return null;
  try {
    await assertCompared(gateway);
  } catch (error) {
    // Repeating the job is no use until the merchant has mended the key.
    if (error instanceof ApiError && error.code === "account_refused") return null;
    throw error;
  }
  if (gateway.supportsAmount(amountCents, currency)) return gateway;
  log.warn({ subscription: state.id }, "the gateway cannot take a period's amount: waiting for the payer");
  return null;
}

type Period = Shown & Pick<BillingState, "title" | "period_index" | "reference">;

const chargeCard = (attempt: Attempt, gateway: Gateway, state: BillingState, period: Period) =>
  performCharge(attempt, () =>
    gateway.chargeSaved({
      amountCents: period.amountCents,
      currency: period.currency,
      title: period.title,
      about: aboutOf({ ...period, id: attempt.linkId, subscription_id: state.id }),
      gatewayKey: attempt.gatewayKey,
      startedAt: attempt.startedAt,
      cardRef: state.gateway_card,
      merchant: state.merchant,
      now: clock.now(),
    }),
  );

/**
 * Retries in an hour when the attempt could not start: another process charges the link, the card no longer matches, or the
 * gateway has a charge for the period that staff have to look at.
 * Does nothing if the period has changed since. The delay prevents a busy loop.
 */
async function postpone(owed: Owed): Promise<false> {
  await transaction(db, async (tx) => {
    if (await lockRunning(tx, owed.id))
      await step(tx, owed, Prisma.sql`next_step_at = ${new Date(clock.now().getTime() + 3_600_000)}`);
  });
  return false;
}

/**
 * Waits for the payer when no card can be charged: there is none, or the bank declined it for good. Reminds the payer at once
 * and on each dunning day, or waits until the period ends if there are none. From the first dunning day on the subscription is
 * past due.
 */
function waitForPayer(owed: Owed): Promise<void> {
  const policy = { days: owed.dunning_days, end: owed.dunning_end };
  const now = clock.now();
  const since = owed.failed_at ?? now; // not period_start: after a downtime the payer has not got the link yet
  // A payer has a day at least: the period may be over because it was paused, or because billing is late.
  const end = new Date(Math.max(owed.period_end.getTime(), tomorrow(since).getTime()));
  const untilEnd = end > now ? end : null;
  const next = policy.days.length > 0 ? nextStep(policy, since, now) : untilEnd;
  const overdue = now.getTime() >= since.getTime() + (policy.days[0] ?? Number.POSITIVE_INFINITY) * 86_400_000;
  return transaction(db, async (tx) => {
    if (!(await lockRunning(tx, owed.id))) return;
    const failure = isHard(owed.failure) ? owed.failure : noCard;
    const set = Prisma.sql`failed_at = ${since}, failure = ${failure}, next_step_at = ${next}`;
    if (!(await step(tx, owed, set))) return;
    const change =
      next === null
        ? await endDunning(tx, tenantOf(owed), owed.id, policy)
        : { earlier: [], events: overdue ? await markPastDue(tx, owed.id) : [] };
    // A cancelled subscription's own mail says that nothing is due.
    await recordWaiting(tx, owed, { ...change, notifyPayer: !change.events.includes("subscription.canceled") });
  });
}

const tenantOf = ({ business_id, livemode }: Owed): Tenant => ({ businessId: business_id, livemode });

/** Records the change, after the request to pay if the payer is mailed one. */
async function recordWaiting(tx: Db, owed: Owed, { earlier, events, notifyPayer }: SubscriptionChange): Promise<void> {
  const tenant = tenantOf(owed);
  const requests: NewEvent[] = [];
  if (notifyPayer) {
    const link = await paymentLinks.get(tx, tenant, owed.link_id);
    const mails = [{ template: "payment_link" as const, to: link.email, props: { link } }];
    requests.push({ type: "payment_link.awaiting_payer", data: link, mails });
  }
  await record(tx, tenant, [...requests, ...earlier, ...(await subscriptionEventsOf(tx, tenant, owed.id, events))]);
}

/** @returns false when the period has changed since it was read: it is not open, or its amount or step differs */
async function step(tx: Db, owed: Owed, set: Prisma.Sql): Promise<boolean> {
  const rows = await queryRows(
    tx,
    Prisma.sql`
    UPDATE payment_link SET ${set}
     WHERE id = ${owed.link_id} AND status = 'Active' AND deleted_at IS NULL AND amount_cents = ${owed.amount_cents}
       AND date_trunc('milliseconds', next_step_at) IS NOT DISTINCT FROM ${owed.next_step_at}::timestamptz
    RETURNING id`,
  );
  return rows.length > 0;
}
