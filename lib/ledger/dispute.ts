import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, Prisma, queryRows, rowsOf, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { DisputeMovement, KnownDispute } from "@/lib/gateways/gateway";
import { type DisputeStatus, disputeStatuses } from "@/lib/gateways/reasons";
import { type NewEvent, record } from "@/lib/outbox/record";
import { subscriptionEventsOf } from "@/lib/periods/events";
import { lockPeriod, type Period } from "@/lib/periods/lock";
import { pauseForDispute, resumeAfterDispute } from "@/lib/periods/pause";
import { disputes } from "@/lib/resources/disputes/resource";
import { findCharge } from "./charge-of-payment";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { mailStaff } from "./dispute-mails";

const names = (holds: (status: (typeof disputeStatuses)[DisputeStatus]) => boolean): string[] =>
  Object.entries(disputeStatuses).flatMap(([name, status]) => (holds(status) ? [name] : []));

/** Statuses in which the payer's bank has the money. */
const holding = names(({ holdsMoney }) => holdsMoney);
/** Statuses in which the bank has the money and has not decided. */
export const undecided = names(({ holdsMoney, final }) => holdsMoney && !final);

/**
 * Looks up every dispute of a payment at the gateway and records what is new. Idempotent, and safe to run concurrently
 * with outdated results.
 * @throws when the gateway or the database is unreachable
 */
export async function reconcileDisputes(paymentId: string): Promise<void> {
  const { gateway, ref } = await findCharge(paymentId);
  for (const known of await withDeadline(gateway.disputesOf(ref), lookupDeadlineMs))
    await recordDispute(paymentId, known);
}

interface Row {
  id: string;
  status: DisputeStatus;
  reason: string;
  amount_cents: number;
  respond_by: Date | null;
  booked_currency: string | null;
}

const columns = Prisma.sql`id, status, reason, amount_cents, respond_by, booked_currency`;

interface Disputed extends Tenant {
  paymentId: string;
  linkId: string;
  period: Period | null;
}

/** Writes dispute, movements, journal, the payment's sums, events and mails in one transaction. */
async function recordDispute(paymentId: string, known: KnownDispute): Promise<void> {
  if (await isRecorded(known)) return;
  await transaction(db, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    const { before, opened } = await insertOrLock(tx, payment, known);
    const added = await addMovements(tx, payment, before, known.movements);
    // A lookup with new movements is newer than the row, whatever its status. Without new movements, the status only moves forward.
    const advances = added > 0 || disputeStatuses[known.status].order > disputeStatuses[before.status].order;
    const status = advances ? known.status : before.status;
    const moved = opened || status !== before.status;
    if (!(await update(tx, before, known, status)) && added === 0 && !moved) return;
    await updatePayment(tx, paymentId);
    const dispute = await disputes.get(tx, payment, before.id);
    const ended = disputeStatuses[status].final && moved;
    const events: NewEvent[] = opened ? [{ type: "dispute.created", data: dispute }] : [];
    if (ended) events.push({ type: endOf(status), data: dispute });
    if (events.length === 0) events.push({ type: "dispute.updated", data: dispute });
    if (moved && payment.period)
      events.push(
        ...(await moveSubscription(tx, payment, payment.period.subscription_id, opened ? null : before.status, status)),
      );
    await record(tx, payment, events);
    if (opened || ended) await mailStaff(tx, payment, dispute, ended);
  });
}

/**
 * Pauses the payment's subscription when the bank takes the money, and resumes it when the money is back. What staff have done in between holds.
 * @param before null for a new dispute
 */
async function moveSubscription(
  tx: Db,
  tenant: Tenant,
  id: string,
  before: DisputeStatus | null,
  status: DisputeStatus,
): Promise<NewEvent[]> {
  if (before !== null && undecided.includes(before) && undecided.includes(status)) return [];
  if (undecided.includes(status)) {
    const { earlier, events } = await pauseForDispute(tx, id);
    return [...earlier, ...(await subscriptionEventsOf(tx, tenant, id, events))];
  }
  return holding.includes(status)
    ? []
    : subscriptionEventsOf(tx, tenant, id, await resumeAfterDispute(tx, id, holding));
}

const endOf = (status: DisputeStatus) =>
  status === "won" ? "dispute.won" : status === "lost" ? "dispute.lost" : "dispute.closed";

/** Whether a lookup has nothing new, the usual case. Takes no lock. */
async function isRecorded({ ref, status, reason, amountCents, respondBy, movements }: KnownDispute): Promise<boolean> {
  const [row] = await queryRows<{ same: boolean }>(
    db,
    Prisma.sql`
    SELECT status = ${status} AND reason = ${reason} AND amount_cents = ${amountCents}::int
           AND respond_by IS NOT DISTINCT FROM ${respondBy}::timestamptz
           AND (SELECT count(*) FROM dispute_movement WHERE dispute_id = dispute.id) = ${movements.length}::int AS same
      FROM dispute WHERE gateway_ref = ${ref}`,
  );
  return row?.same ?? false;
}

/** Locks the subscription, then the payment: the order of every transaction that writes both. */
async function lockPayment(tx: Db, paymentId: string): Promise<Disputed> {
  const { business_id, livemode, payment_link_id } = await tx.payment.findUniqueOrThrow({ where: { id: paymentId } });
  const period = await lockPeriod(tx, payment_link_id);
  await queryRows(tx, Prisma.sql`SELECT FROM payment WHERE id = ${paymentId} FOR NO KEY UPDATE`);
  return { businessId: business_id, livemode, paymentId, linkId: payment_link_id, period };
}

async function insertOrLock(tx: Db, payment: Disputed, known: KnownDispute): Promise<{ before: Row; opened: boolean }> {
  const final = disputeStatuses[known.status].final;
  const inserted = await execute(
    tx,
    Prisma.sql`
    INSERT INTO dispute (id, business_id, livemode, payment_id, payment_link_id, gateway_ref, amount_cents, currency, reason,
                         status, respond_by, opened_at, closed_at)
    VALUES (${newId("dsp")}, ${payment.businessId}, ${payment.livemode}, ${payment.paymentId}, ${payment.linkId}, ${known.ref},
            ${known.amountCents}, ${known.currency}, ${known.reason}, ${known.status}, ${known.respondBy},
            on_business_clock(${known.openedAt}::timestamptz, ${payment.businessId}, ${payment.livemode}),
            ${final ? clock.now() : null}::timestamptz)
    ON CONFLICT (gateway_ref) DO NOTHING`,
  );
  const [before] = await queryRows<Row>(
    tx,
    Prisma.sql`
    SELECT ${columns} FROM dispute WHERE gateway_ref = ${known.ref} AND payment_id = ${payment.paymentId} FOR UPDATE`,
  );
  if (!before) throw new Error(`The dispute ${known.ref} belongs to another payment.`);
  return { before, opened: inserted === 1 };
}

/**
 * Records and posts each movement once, by the gateway's reference. The database's trigger `count_dispute_fee` counts its fee.
 * @returns how many were new
 */
async function addMovements(tx: Db, payment: Disputed, { id }: Row, movements: DisputeMovement[]): Promise<number> {
  if (movements.length === 0) return 0;
  const given = movements.map(({ ref, kind, amountCents: cents, feeCents: fee, currency }) => {
    return { ref, kind, cents, fee, currency };
  });
  const now = clock.now();
  const [added] = await queryRows<{ count: number }>(
    tx,
    Prisma.sql`
    WITH added AS (
      INSERT INTO dispute_movement (gateway_ref, business_id, livemode, dispute_id, kind, amount_cents, fee_cents, currency, created_at)
      SELECT ref, ${payment.businessId}::int, ${payment.livemode}::boolean, ${id}, kind, cents, fee, currency, ${now}::timestamptz
        FROM ${rowsOf(given, Prisma.sql`ref text, kind text, cents bigint, fee bigint, currency text`)} AS given
      ON CONFLICT (gateway_ref) DO NOTHING
      RETURNING *
    ), summed AS (
      UPDATE dispute SET booked_currency = coalesce(booked_currency, sums.currency),
             withdrawn_cents = withdrawn_cents + sums.withdrawn, returned_cents = returned_cents + sums.returned,
             fee_cents = dispute.fee_cents + sums.fee
        FROM (SELECT max(currency) AS currency, coalesce(sum(amount_cents) FILTER (WHERE kind = 'withdrawn'), 0)::bigint AS withdrawn,
                     coalesce(sum(amount_cents) FILTER (WHERE kind = 'returned'), 0)::bigint AS returned,
                     coalesce(sum(fee_cents), 0)::bigint AS fee FROM added) AS sums
       WHERE id = ${id} AND sums.currency IS NOT NULL
    ), counted AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, created_at, CASE kind WHEN 'withdrawn' THEN amount_cents ELSE -amount_cents END,
             CASE kind WHEN 'withdrawn' THEN 1 ELSE -1 END, currency, 'disputed' FROM added
    ), posted AS (
      INSERT INTO posting (business_id, livemode, kind, payment_id, movement_ref, debit, credit, amount_cents, currency, created_at)
      SELECT business_id, livemode, booked.kind, ${payment.paymentId}, gateway_ref, debit, credit, cents, currency, ${now}::timestamptz
        FROM added CROSS JOIN LATERAL (VALUES
          ('withdrawn', 'dispute', 'disputes', 'gateway', amount_cents),
          ('returned', 'dispute_returned', 'gateway', 'disputes', amount_cents),
          (added.kind, 'dispute_fee', 'fees', 'gateway', fee_cents),
          (added.kind, 'dispute_fee_returned', 'gateway', 'fees', -fee_cents)) AS booked(of, kind, debit, credit, cents)
       WHERE booked.of = added.kind AND cents > 0
    )
    SELECT count(*)::int AS count FROM added`,
  );
  return added?.count ?? 0;
}

/** @returns whether the row changed */
async function update(tx: Db, before: Row, known: KnownDispute, status: DisputeStatus): Promise<boolean> {
  const { final } = disputeStatuses[status];
  // An outdated lookup must not change the other fields either.
  if (status !== known.status) return false;
  const changed = await execute(
    tx,
    Prisma.sql`
    UPDATE dispute SET status = ${status}, reason = ${known.reason}, amount_cents = ${known.amountCents}::int,
           respond_by = ${known.respondBy}::timestamptz,
           closed_at = CASE WHEN ${final}::boolean THEN coalesce(closed_at, ${clock.now()}::timestamptz) END
     WHERE id = ${before.id} AND status = ${before.status}
       AND (status, reason, amount_cents, respond_by)
           IS DISTINCT FROM (${status}, ${known.reason}, ${known.amountCents}::int, ${known.respondBy}::timestamptz)`,
  );
  return changed === 1;
}

async function updatePayment(tx: Db, paymentId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`
    UPDATE payment SET disputed_cents = sums.cents, dispute_status = sums.status
      FROM (SELECT coalesce(sum(amount_cents) FILTER (WHERE status = ANY (${holding}::text[])), 0)::int AS cents,
                   (array_agg(status ORDER BY status = ANY (${undecided}::text[]) DESC, opened_at DESC, id DESC))[1] AS status
              FROM dispute WHERE payment_id = ${paymentId}) AS sums
     WHERE id = ${paymentId}`,
  );
}
