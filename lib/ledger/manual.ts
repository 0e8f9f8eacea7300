import type { Tenant } from "@/lib/auth/actor";
import { acting } from "@/lib/core/acting";
import { clock } from "@/lib/core/clock";
import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { record } from "@/lib/outbox/record";
import { lockPeriod } from "@/lib/periods/lock";
import { restartPeriod } from "@/lib/periods/steps";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { ManualPaymentInput, PaymentOfLink } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { hasUnknownCharge } from "@/lib/resources/unknown-charges/resource";
import { settleAll } from "./attempt";

// Manual payments: staff record money that was paid by transfer, in cash or by cheque. No gateway takes part, so each step is
// one transaction, and a crash leaves no half of it (docs/decisions/0031-manual-payments.md).

/** The name of the user or API key that acts, as stored with the payment. */
function actorName(): Prisma.Sql {
  const { type, id } = acting();
  return Prisma.sql`
    CASE ${type}::text WHEN 'user' THEN (SELECT name FROM staff_user WHERE id = ${id})
                       WHEN 'api_key' THEN (SELECT name FROM api_key WHERE id = ${id}) END`;
}

/**
 * Records that a link was paid by hand and settles it as any payment: journal, sums, subscription, events, receipt. The
 * statement that moves the link to Processing also inserts the attempt, as `beginAttempt` does, so a card payment begins before
 * it or finds the link paid.
 * @returns the payment's id; null, with nothing written, when the link is paid, deleted or in flight, has another amount than was
 *   read, or has an unresolved unknown charge or mismatch
 */
export async function markPaid(
  tx: Db,
  tenant: Tenant,
  { _id: linkId, ...shown }: Pick<PaymentLink, "_id" | "amount_cents" | "currency">,
  input: Omit<ManualPaymentInput, "amount" | "currency">,
): Promise<string | null> {
  const id = newId("pay");
  await lockPeriod(tx, linkId); // before the link, as every transaction that writes both
  const [payment] = await queryRows<{ currency: string; amount_cents: number }>(
    tx,
    Prisma.sql`
    WITH link AS (
      UPDATE payment_link SET status = 'Processing'
       WHERE id = ${linkId} AND ${paymentLinks.ownedBy(tenant)} AND status IN ('Active', 'Inactive') AND deleted_at IS NULL
         AND amount_cents = ${shown.amount_cents}::int AND currency = ${shown.currency} AND NOT ${hasUnknownCharge("payment_link")}
      RETURNING id, business_id, livemode, amount_cents, currency
    )
    INSERT INTO payment (id, gateway_key, business_id, livemode, payment_link_id, gateway, amount_cents, currency, status,
                         method, paid_on, reference, note, marked_by)
    SELECT ${id}, ${id}, business_id, livemode, id, 'manual', amount_cents, currency, 'sending',
           ${input.method}, ${input.paid_on}::date, ${input.reference}, ${input.note}, ${actorName()} FROM link
    RETURNING currency, amount_cents`,
  );
  if (!payment) return null;
  // The fee is known to be zero, so no job looks it up.
  const booked = { grossCents: payment.amount_cents, feeCents: 0, currency: payment.currency };
  const result = { outcome: "succeeded", ref: null, card: null, saved: null, risk: null, booked } as const;
  await settleAll(tx, [{ id, linkId, result }]);
  return id;
}

/**
 * Reverses a manual payment: it was a mistake, or the cheque bounced. The payment's own posting and sums stay; the reversal is
 * a new fact in its own period. The link gets its former status, which only the events have: one that was closed is not opened.
 * @returns false, with nothing written, when the payment is not a succeeded manual one without refunds
 */
export async function reversePayment(
  tx: Db,
  tenant: Tenant,
  { _id: id, payment_link_id: linkId }: PaymentOfLink,
  reason: string,
): Promise<boolean> {
  const now = clock.now();
  const period = await lockPeriod(tx, linkId);
  const reversed = await queryRows(
    tx,
    Prisma.sql`
    WITH reversed AS (
      UPDATE payment SET status = 'reversed', reversed_at = ${now}::timestamptz, reversal_reason = ${reason},
             reversed_by = ${actorName()}
       WHERE id = ${id} AND ${payments.ownedBy(tenant)} AND gateway = 'manual' AND status = 'succeeded'
         AND refunded_cents = 0 AND refund_pending_cents = 0
      RETURNING *
    ), moved AS (
      UPDATE payment_link SET paid_at = NULL, status = coalesce((
               SELECT e.data ->> 'status' FROM event e
                WHERE e.resource_id = reversed.payment_link_id AND e.data ->> 'status' IN ('Active', 'Inactive')
                ORDER BY e.sequence DESC LIMIT 1), 'Active')
        FROM reversed
       WHERE payment_link.id = reversed.payment_link_id AND payment_link.status = 'Paid'
    ), posted AS (
      INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
      SELECT business_id, livemode, 'payment_reversed', id, 'sales', 'manual', amount_cents, currency, reversed_at
        FROM reversed
    ), summed AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, reversed_at, -amount_cents, -1, currency, 'collected' FROM reversed
    )
    SELECT id FROM reversed`,
  );
  if (reversed.length === 0) return false;
  if (period) await restartPeriod(tx, period, now);
  await record(tx, tenant, [{ type: "payment.reversed", data: await payments.get(tx, tenant, id) }]);
  return true;
}
