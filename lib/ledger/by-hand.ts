import type { Tenant } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { log } from "@/lib/core/log";
import { type FinalResult, KeyRefused } from "@/lib/gateways/gateway";
import { record } from "@/lib/outbox/record";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { openMismatch, payments } from "@/lib/resources/payments/resource";
import { type Attempt, lockForSettlement, openCondition, settleAll, unclosedAttempts } from "./attempt";
import { gatewayDeadlineMs, lostAfterSeconds, withDeadline } from "./deadline";
import { unpostMismatch } from "./mismatch";
import { findAttempt } from "./reconcile";

interface ByHand {
  /** The name of the staff member or API key. */
  by: string;
  reason: string;
}

/**
 * Settles an open attempt with the outcome that staff give, like a gateway's result, with an audit entry.
 * @returns false, with nothing written, when the attempt is final, or its request may still be in flight
 */
export function settleByHand(
  { id, linkId }: Pick<Attempt, "id" | "linkId">,
  result: FinalResult,
  { by, reason }: ByHand,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockForSettlement(tx, [{ linkId, result }]); // before the payment, as settleAll does
    const [open] = await queryRows<{ business_id: number; livemode: boolean; was: string }>(
      tx,
      Prisma.sql`
      UPDATE payment SET settled_by = ${by}, settled_reason = ${reason}, asked_at = NULL
       WHERE id = ${id} AND payment_link_id = ${linkId} AND ${openCondition}
         AND started_at < clock_timestamp() - make_interval(secs => ${lostAfterSeconds}::int)
      RETURNING business_id, livemode, status AS was`,
    );
    if (!open) return false;
    await settleAll(tx, [{ id, linkId, result }]);
    const { business_id, livemode, was } = open;
    const { status, gateway_reference } = await payments.get(tx, { businessId: business_id, livemode }, id);
    await audit(tx, business_id, {
      ...{ action: "payment.settled", livemode, resource_id: id },
      before: { status: was },
      after: { status, gateway_reference, reason },
    });
    return true;
  });
}

/** The payment whose charge staff name by mistake began within this time, or the charge's balance entry is known. */
const sameTime = "2 days";

/** The gateway's money is this payment's, or may still become it. */
const hasMoney = Prisma.sql`(o.status = 'succeeded' OR ${openMismatch("o")})`;

/**
 * Whether a charge of the gateway belongs to another payment. `payment.gateway_ref` has no index, which each payment would pay for:
 * looks at payments from about the same time, and at the imported balance.
 */
export async function belongsToOther(paymentId: string, ref: string): Promise<boolean> {
  const [found] = await queryRows<{ taken: boolean }>(
    db,
    Prisma.sql`
    SELECT EXISTS (SELECT FROM payment o WHERE (o.business_id, o.livemode) = (p.business_id, p.livemode)
                      AND o.created_at BETWEEN p.created_at - ${sameTime}::interval AND p.created_at + ${sameTime}::interval
                      AND o.gateway_ref = ${ref} AND ${hasMoney} AND o.id <> p.id)
        OR EXISTS (SELECT FROM balance_entry e JOIN payment o ON o.gateway_key = e.gateway_key
                    WHERE (e.business_id, e.livemode) = (p.business_id, p.livemode) AND e.type = 'charge'
                      AND e.charge_ref = ${ref} AND ${hasMoney} AND o.id <> p.id) AS taken
      FROM payment p WHERE p.id = ${paymentId}`,
  );
  return found?.taken ?? false;
}

/**
 * Closes at the gateway a payment that staff recorded as failed. If the gateway has taken the money after all, that is
 * recorded once, as a mismatch: the link may have been paid again.
 * @returns whether the gateway has decided; otherwise it may still take the money
 * @throws when the gateway or the database is unreachable
 */
export async function closeFailedByHand(paymentId: string): Promise<boolean> {
  const attempt = await findAttempt(paymentId);
  if (attempt?.status !== "failed") return true;
  const known = await withDeadline(attempt.gateway.cancel(attempt.sent), gatewayDeadlineMs);
  if (known.outcome === "pending") return false;
  const ref = known.outcome === "succeeded" ? known.ref : null;
  const now = clock.now();
  await transaction(db, async (tx) => {
    const [found] = await queryRows<{ business_id: number; livemode: boolean }>(
      tx,
      Prisma.sql`
      UPDATE payment SET closed_at = coalesce(closed_at, ${now}::timestamptz),
             mismatch_at = CASE WHEN ${ref}::text IS NOT NULL THEN ${now}::timestamptz END, gateway_ref = coalesce(${ref}, gateway_ref)
       WHERE id = ${paymentId} AND status = 'failed' AND settled_by IS NOT NULL AND mismatch_at IS NULL
         AND (closed_at IS NULL OR ${ref}::text IS NOT NULL)
      RETURNING business_id, livemode`,
    );
    if (!found || ref === null) return;
    log.error({ payment: paymentId, ref }, "the gateway took a payment that was recorded as failed by hand");
    const tenant = { businessId: found.business_id, livemode: found.livemode };
    await record(tx, tenant, [{ type: "payment.mismatch", data: await payments.get(tx, tenant, paymentId) }]);
  });
  return true;
}

/**
 * Closes at the gateway a link's `unclosedAttempts`. An account that is no longer connected may never answer again: its
 * silence is not an error.
 * @returns the ids of attempts whose disconnected account did not answer; null when there was nothing to close
 * @throws ApiError gateway_away when the gateway of any other attempt is unreachable, refuses the key or has not decided
 */
export async function closeAttemptsOf(linkId: string): Promise<{ unanswered: string[] } | null> {
  const unclosed = await queryRows<{ id: string; in_use: boolean }>(
    db,
    Prisma.sql`
    SELECT f.id, a.replaced_at IS NULL AS in_use FROM (${unclosedAttempts(Prisma.sql`${linkId}`)}) AS f
      LEFT JOIN gateway_account a ON a.id = f.gateway_account_id`,
  );
  const unanswered: string[] = [];
  for (const { id, in_use } of unclosed) {
    const closed = await closeFailedByHand(id).catch((err: unknown) => {
      if (isDatabaseAway(err)) throw err;
      log.warn({ err, payment: id }, "could not close a payment that was recorded as failed by hand");
      if (in_use) throw blockedBy(id, err instanceof KeyRefused ? refused : undecided);
      unanswered.push(id);
      return true;
    });
    if (!closed) throw blockedBy(id, undecided);
  }
  return unclosed.length > 0 ? { unanswered } : null;
}

const blockedBy = (paymentId: string, message: string) =>
  new ApiError("gateway_away", message, { "Retry-After": "10" }, { payment_id: paymentId });

const undecided =
  "The gateway may still take a payment of this link that was recorded as failed by hand, and has not said whether it will. Try again later.";
const refused =
  "The gateway may still take a payment of this link that was recorded as failed by hand. It refuses the account's key. Reconnect the account, then try again.";

/**
 * Counts a mismatch as the payment of its unpaid link, and settles it like any other payment.
 * @param result of looking it up at the gateway
 * @returns false, with nothing written, when it is not an open mismatch, or its link is paid, deleted, in flight or has another
 *   amount
 */
export function countMismatch(
  tenant: Tenant,
  { _id: id, payment_link_id: linkId }: PaymentOfLink,
  { by, reason }: ByHand,
  result: FinalResult,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await lockForSettlement(tx, [{ linkId, result }]);
    const counted = await queryRows(
      tx,
      Prisma.sql`
      WITH mismatch AS MATERIALIZED (
        SELECT * FROM payment WHERE id = ${id} AND payment_link_id = ${linkId} AND ${payments.ownedBy(tenant)}
           AND ${openMismatch()} FOR UPDATE
      ), link AS (
        UPDATE payment_link l SET status = 'Processing' FROM mismatch m
         WHERE l.id = m.payment_link_id AND l.status IN ('Active', 'Inactive') AND l.deleted_at IS NULL
           AND (l.amount_cents, l.currency) = (m.amount_cents, m.currency)
        RETURNING l.id
      ), was AS (
        SELECT mismatch.* FROM mismatch JOIN link ON link.id = payment_link_id
      ), uncounted AS (
        -- Takes it out of the sums of failed payments.
        INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
        SELECT business_id, livemode, settled_at, -amount_cents, -1, currency, 'failed' FROM was
      )
      UPDATE payment SET status = 'unknown', reason = NULL, gateway_code = NULL, settled_at = NULL, mismatch_at = NULL, asked_at = NULL,
             settled_by = ${by}, settled_reason = ${reason}
        FROM was WHERE payment.id = was.id RETURNING payment.id`,
    );
    if (counted.length === 0) return false;
    await settleAll(tx, [{ id, linkId, result }]);
    await unpostMismatch(tx, id);
    await auditResolved(tx, tenant, id, { counted: true, note: reason });
    return true;
  });
}

/**
 * Records that staff have returned a mismatch's money at the gateway, or booked it elsewhere. Its link can then be charged again.
 * @returns false, with nothing written, when it is not an open mismatch
 */
export function acknowledgeMismatch(tenant: Tenant, id: string, note: string): Promise<boolean> {
  return transaction(db, async (tx) => {
    const set = Prisma.sql`mismatch_resolved_at = ${clock.now()}::timestamptz, mismatch_note = ${note}`;
    if (!(await payments.update(tx, tenant, id, set, openMismatch()))) return false;
    await auditResolved(tx, tenant, id, { counted: false, note });
    return true;
  });
}

async function auditResolved(tx: Db, tenant: Tenant, id: string, after: { counted: boolean; note: string }) {
  const { livemode, businessId } = tenant;
  await audit(tx, businessId, { action: "payment.mismatch_resolved", livemode, resource_id: id, after });
}
