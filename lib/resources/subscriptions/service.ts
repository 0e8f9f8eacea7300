import { type Actor, tenantOf } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { assigned, type Db, execute, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { lowerAscii } from "@/lib/core/email";
import { ApiError, invalidSelection, notFound } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import { iso } from "@/lib/http/list";
import { addJob } from "@/lib/outbox/jobs";
import { createRecorded, type NewEvent, record } from "@/lib/outbox/record";
import { type Frequency, firstAnchor, periodStart } from "@/lib/periods/calendar";
import { closeLinks } from "@/lib/periods/closing";
import { subscriptionEvent } from "@/lib/periods/events";
import { openBegun } from "@/lib/periods/opening";
import { skipPeriods } from "@/lib/periods/pause";
import { restartDunning, retryOldest, stopSteps } from "@/lib/periods/steps";
import { assertFewKeys, changedAnnotations, newAnnotations } from "@/lib/resources/annotations/resource";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import {
  type EndedReason,
  type RequestableStatus,
  requestableMoves,
  type Subscription,
  type SubscriptionInput,
  type SubscriptionStatus,
  type SubscriptionUpdate,
} from "./contract";
import { subscriptions } from "./resource";

interface Chosen {
  frequency: Frequency;
  date_charge_start: string | null;
  timezone: string;
  amount_cents: number;
}

/**
 * Subscribes a customer to a package. The first charge is on the package's `date_charge_start` in the business's time zone, or now
 * if that is past or missing.
 * @throws ValidationError when the package does not exist, is another business's, or takes no new subscriptions
 */
export async function createSubscription(tx: Db, actor: Actor, input: SubscriptionInput): Promise<Subscription> {
  return transaction(tx, async (tx) => {
    const { business_id, livemode } = tenantOf(actor);
    // Locks the package until the commit, so that it is not cancelled or changed meanwhile.
    const [chosen] = await queryRows<Chosen>(
      tx,
      Prisma.sql`
      SELECT p.frequency, to_char(p.date_charge_start, 'YYYY-MM-DD') AS date_charge_start, b.timezone, p.amount_cents
        FROM package p JOIN business b ON b.id = p.business_id
       WHERE p.id = ${input.package_id} AND p.business_id = ${business_id} AND p.livemode = ${livemode}
         AND p.status = 'active' AND p.deleted_at IS NULL FOR SHARE OF p`,
    );
    if (!chosen) throw invalidSelection("package_id");
    const { allow_duplicate, metadata, notes, ...fields } = input;
    if (!allow_duplicate) await assertNotSubscribed(tx, actor, input);
    const schedule = { ...chosen, anchor: firstAnchor(chosen.date_charge_start, clock.now(), chosen.timezone) };
    const id = newId("sub");
    const { anchor, timezone, amount_cents } = schedule;
    const next_charge_at = periodStart(schedule, 0);
    // A first charge in the future is announced (lib/billing/notices.ts).
    const noticed_period = next_charge_at > clock.now() ? -1 : 0;
    const values = {
      id,
      business_id,
      livemode,
      amount_cents,
      anchor,
      timezone,
      next_charge_at,
      noticed_period,
      ...fields,
      ...newAnnotations({ metadata, notes }),
    };
    const insert = subscriptions.inserting(values);
    const created = await createRecorded<Subscription>(tx, actor, { type: "subscription.created", insert });
    await addJob(tx, "bill", { subscription: id }, `bill:${id}`);
    return created;
  });
}

type PackageAndEmail = Pick<SubscriptionInput, "package_id" | "email">;

/**
 * Waits for concurrent requests with the same package and e-mail, so that the first one's subscription is seen.
 * @throws ApiError already_subscribed
 */
async function assertNotSubscribed(tx: Db, actor: Actor, { package_id, email }: PackageAndEmail): Promise<void> {
  await lockUntilCommit(tx, `subscribe ${package_id} ${lowerAscii(email)}`);
  const [existing] = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT id FROM subscription
     WHERE ${subscriptions.ownedBy(actor)} AND package_id = ${package_id} AND status NOT IN ('cancel', 'completed')
       AND lower(email COLLATE "C") = lower(${email}::text COLLATE "C") LIMIT 1`,
  );
  if (!existing) return;
  const message = `${email} already has this subscription: ${existing.id}. To allow a second one, send allow_duplicate: true.`;
  throw new ApiError("already_subscribed", message, {}, { subscription_id: existing.id });
}

interface Movable {
  updated_at: string;
  package_id: string;
  email: string;
  status: SubscriptionStatus;
  anchor: string;
  timezone: string;
  frequency: Frequency;
  next_period: number;
  next_charge_at: Date | null;
  cancel_at_period_end: boolean;
}

/**
 * Changes the given fields and moves the status (docs/billing.md explains each move).
 * @throws ApiError not_found, conflict for a move that the current status does not allow, already_subscribed
 */
export async function updateSubscription(
  tx: Db,
  actor: Actor,
  id: string,
  input: SubscriptionUpdate,
): Promise<Subscription> {
  subscriptions.checkId(id);
  return transaction(tx, async (tx) => {
    const [current] = await queryRows<Movable>(
      tx,
      Prisma.sql`
      SELECT ${iso("s.updated_at")} AS updated_at, s.package_id, s.email, s.status, s.anchor, s.timezone, p.frequency, s.next_period, s.next_charge_at,
             s.cancel_at_period_end
        FROM subscription s JOIN package p ON p.id = s.package_id
       WHERE s.id = ${id} AND s.business_id = ${tenantOf(actor).business_id} AND s.livemode = ${tenantOf(actor).livemode}
         AND s.deleted_at IS NULL FOR UPDATE OF s`,
    );
    if (!current) throw notFound("Subscription");
    const { email, phone_no, cancel_at_period_end } = input;
    const status = cancel_at_period_end ? statusAtEnd(current, input.status) : input.status;
    const moved = status !== undefined && status !== current.status ? status : null;
    const ends = cancel_at_period_end ?? current.cancel_at_period_end;
    const hasOtherEmail = email !== undefined && lowerAscii(email) !== lowerAscii(current.email);
    if (hasOtherEmail && !input.allow_duplicate && !isEnded(moved ?? current.status))
      await assertNotSubscribed(tx, actor, { package_id: current.package_id, email });
    const assignments = assigned({ email, phone_no, cancel_at_period_end });
    const given = [...(assignments === Prisma.empty ? [] : [assignments]), ...changedAnnotations(input)];
    // Before the move, which may open periods: their links have the new e-mail.
    if (given.length > 0) await execute(tx, Prisma.sql`UPDATE subscription SET ${Prisma.join(given)} WHERE id = ${id}`);
    const opened = moved ? await move(tx, actor, id, { ...current, cancel_at_period_end: ends }, moved) : [];
    const movedLinks = email !== undefined && (await moveOpenLinks(tx, actor, id, email));
    if (movedLinks && hasOtherEmail) await retryOldest(tx, id, clock.now()); // the other address may have another card
    const closed = moved ? await afterMove(tx, id, moved, input.close_links ?? true) : [];
    const updated = await subscriptions.get(tx, actor, id);
    assertFewKeys(updated);
    await record(tx, actor, [
      ...opened,
      ...closed,
      ...(given.length > 0 && updated.updated_at !== current.updated_at
        ? [subscriptionEvent("subscription.updated", updated)]
        : []),
      ...(moved ? [subscriptionEvent(movedTo[moved], updated)] : []),
    ]);
    return updated;
  });
}

const isEnded = (status: SubscriptionStatus): boolean => status === "cancel" || status === "completed";

const movedTo = {
  active: "subscription.resumed",
  paused: "subscription.paused",
  cancel: "subscription.canceled",
} as const;

/**
 * The status that an update with `cancel_at_period_end` sets at once: `cancel` if no current period will end, because the first
 * has not begun or the subscription is unpaid. Otherwise, and if it asks for another status, the requested one.
 * @throws ApiError conflict while the subscription is ended or paused
 */
function statusAtEnd(current: Movable, to: RequestableStatus | undefined): RequestableStatus | undefined {
  const { status, next_period, next_charge_at } = current;
  if (isEnded(status)) throw new ApiError("conflict", `A subscription that is ${status} has no period to end.`);
  if ((to ?? status) === "paused")
    throw new ApiError(
      "conflict",
      "While a subscription is paused, no period ends. Resume it first, or cancel it now.",
    );
  const begun = next_period > 0 || next_charge_at === null || next_charge_at <= clock.now();
  const hasNoEnd = status === "unpaid" || !begun;
  return hasNoEnd && (to === undefined || to === status) ? "cancel" : to;
}

/**
 * @returns the events of the links that it opens
 * @throws ApiError conflict for a move that the current status does not allow
 */
async function move(tx: Db, actor: Actor, id: string, current: Movable, to: RequestableStatus): Promise<NewEvent[]> {
  if (!requestableMoves[to].includes(current.status))
    throw new ApiError("conflict", `A subscription that is ${current.status} can not become ${to}.`);
  const opened = to === "paused" ? await openBegun(tx, id, clock.now()) : [];
  const charge = to === "active" ? skipPeriods(current, clock.now()) : Prisma.sql`next_charge_at = NULL`;
  const reason: EndedReason | null =
    to !== "cancel" ? null : actor.who.type === "api_key" ? "canceled_by_api" : "canceled_by_staff";
  await execute(
    tx,
    Prisma.sql`
    UPDATE subscription SET status = ${to}, ended_reason = ${reason}, paused_reason = NULL, ${charge} WHERE id = ${id}`,
  );
  return opened;
}

/** @returns the events of the links that it closes */
async function afterMove(tx: Db, id: string, to: RequestableStatus, close: boolean): Promise<NewEvent[]> {
  if (to === "cancel" && close) return closeLinks(tx, id);
  if (to === "active") {
    await restartDunning(tx, id);
    await retryOldest(tx, id, clock.now());
  } else await stopSteps(tx, id);
  return [];
}

/** Moves open links to the new address. @returns whether there were any */
async function moveOpenLinks(tx: Db, actor: Actor, id: string, email: string): Promise<boolean> {
  const moved = await queryRows<PaymentLink>(
    tx,
    Prisma.sql`
    UPDATE payment_link SET email = ${email}
     WHERE subscription_id = ${id} AND status IN ('Active', 'Inactive', 'Processing') AND deleted_at IS NULL
       AND email <> ${email}
    RETURNING ${paymentLinks.columns(clock.now())}`,
  );
  if (moved.length === 0) return false;
  await record(
    tx,
    actor,
    moved.map((link) => ({ type: "payment_link.updated", data: link })),
  );
  return true;
}

/**
 * Deletes a subscription and the links of its unpaid periods. Its payments stay in the books.
 * @throws ApiError not_found, link_processing while a period's payment is in flight
 */
export async function removeSubscription(tx: Db, actor: Actor, id: string): Promise<Subscription & { deleted: true }> {
  return transaction(tx, (tx) => removeLocked(tx, actor, id));
}

async function removeLocked(tx: Db, actor: Actor, id: string): Promise<Subscription & { deleted: true }> {
  const now = clock.now();
  // Locked before its links are read, so that no period is opened meanwhile, and no charge begun by billing or a payer.
  await queryRows(
    tx,
    Prisma.sql`SELECT FROM subscription WHERE id = ${id} AND ${subscriptions.ownedBy(actor)} FOR UPDATE`,
  );
  await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM payment_link
     WHERE subscription_id = ${id} AND ${paymentLinks.ownedBy(actor)} AND status IN ('Active', 'Inactive', 'Processing')
       AND deleted_at IS NULL
     ORDER BY id FOR UPDATE`,
  );
  const last = await subscriptions.get(tx, actor, id);
  const deleted = await subscriptions.update(
    tx,
    actor,
    id,
    Prisma.sql`deleted_at = ${now}, next_charge_at = NULL`,
    Prisma.sql`NOT EXISTS (SELECT FROM payment_link WHERE subscription_id = ${id} AND status = 'Processing')`,
  );
  if (deleted) {
    const closed = await queryRows<PaymentLink>(
      tx,
      Prisma.sql`
      UPDATE payment_link SET deleted_at = ${now}, next_step_at = NULL
       WHERE subscription_id = ${id} AND status IN ('Active', 'Inactive') AND deleted_at IS NULL
      RETURNING ${paymentLinks.columns(now)}`,
    );
    const links: NewEvent[] = closed.map((link) => ({ type: "payment_link.deleted", data: link }));
    await record(tx, actor, [...links, subscriptionEvent("subscription.deleted", last)]);
    return { ...last, deleted: true };
  }
  throw new ApiError("link_processing");
}
