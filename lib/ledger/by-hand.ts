import { audit } from "@/lib/auth/audit";
import { clock } from "@/lib/core/clock";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import type { FinalResult } from "@/lib/gateways/gateway";
import { record } from "@/lib/outbox/record";
import { lockPeriods } from "@/lib/periods/after-settlement";
import { payments } from "@/lib/resources/payments/resource";
import { type Attempt, openCondition, settleAll } from "./attempt";
import { gatewayDeadlineMs, lostAfterSeconds, withDeadline } from "./deadline";
import { findAttempt } from "./reconcile";

interface ByHand {
  /** The name of the staff member or API key that settles. */
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
    await lockPeriods(tx, [linkId]); // before the payment, as settleAll does
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
                      AND o.gateway_ref = ${ref} AND o.status = 'succeeded' AND o.id <> p.id)
        OR EXISTS (SELECT FROM balance_entry e JOIN payment o ON o.gateway_key = e.gateway_key
                    WHERE (e.business_id, e.livemode) = (p.business_id, p.livemode) AND e.type = 'charge'
                      AND e.charge_ref = ${ref} AND o.status = 'succeeded' AND o.id <> p.id) AS taken
      FROM payment p WHERE p.id = ${paymentId}`,
  );
  return found?.taken ?? false;
}

/**
 * Closes at the gateway a payment that staff recorded as failed. If the gateway has taken the money after all, that is
 * recorded once, as a mismatch: the link may have been paid again.
 * @throws when the gateway or the database is unreachable
 */
export async function closeFailedByHand(paymentId: string): Promise<void> {
  const attempt = await findAttempt(paymentId);
  if (attempt?.status !== "failed") return;
  const known = await withDeadline(attempt.gateway.cancel(attempt.sent), gatewayDeadlineMs);
  if (known.outcome !== "succeeded") return;
  await transaction(db, async (tx) => {
    const [found] = await queryRows<{ business_id: number; livemode: boolean }>(
      tx,
      Prisma.sql`
      UPDATE payment SET mismatch_at = ${clock.now()}::timestamptz, gateway_ref = ${known.ref}
       WHERE id = ${paymentId} AND status = 'failed' AND settled_by IS NOT NULL AND mismatch_at IS NULL
      RETURNING business_id, livemode`,
    );
    if (!found) return;
    log.error({ payment: paymentId, ref: known.ref }, "the gateway took a payment that was recorded as failed by hand");
    const tenant = { businessId: found.business_id, livemode: found.livemode };
    await record(tx, tenant, [{ type: "payment.mismatch", data: await payments.get(tx, tenant, paymentId) }]);
  });
}
