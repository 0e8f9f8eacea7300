import { clock } from "@/lib/core/clock";
import { type Db, db, execute, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import type { KnownRefund, RefundRequest, RefundResult } from "@/lib/gateways/gateway";
import { type Annotations, noAnnotations } from "@/lib/resources/annotations/contract";
import { type Charge, findCharge } from "./charge-of-payment";
import { gatewayDeadlineMs, lookupDeadlineMs, lostAfterSeconds, withDeadline } from "./deadline";
import { reconcileDisputes, undecided } from "./dispute";
import { recordRefund } from "./events";
import { postRefund, recordBookedRefund } from "./refund-postings";

export interface BeginRefund {
  /** Becomes the refund's id and its idempotency key at the gateway. */
  id: string;
  paymentId: string;
  /** Null: everything not yet refunded. */
  amountCents: number | null;
  reason: string | null;
  annotations?: Annotations;
}

/**
 * Reserves the amount in the payment's row and commits the refund, in one statement, so that concurrent refunds never
 * exceed the payment. Money that a lost dispute took is not refunded, and nothing is refunded while a bank decides a dispute.
 * @returns false, with nothing written, when less is left, the payment has not succeeded, or the refund already exists
 */
export async function beginRefund(refund: BeginRefund, tx: Db = db): Promise<boolean> {
  const { id, paymentId, amountCents, reason, annotations = noAnnotations } = refund;
  try {
    const inserted = await execute(
      tx,
      Prisma.sql`
      WITH wanted AS (
        SELECT id, coalesce(${amountCents}::int, amount_cents - refunded_cents - refund_pending_cents - disputed_cents) AS cents
          FROM payment WHERE id = ${paymentId} AND status = 'succeeded'
           AND NOT (dispute_status IS NOT NULL AND dispute_status = ANY (${undecided}::text[])) FOR UPDATE
      ), reserved AS (
        UPDATE payment SET refund_pending_cents = refund_pending_cents + wanted.cents FROM wanted
         WHERE payment.id = wanted.id AND wanted.cents > 0
           AND refunded_cents + refund_pending_cents + disputed_cents + wanted.cents <= amount_cents
        RETURNING payment.id, business_id, livemode, payment_link_id, currency, wanted.cents
      )
      INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, reason,
                          metadata, notes)
      SELECT ${id}, business_id, livemode, id, payment_link_id, ${id}, cents, currency, ${reason},
             ${JSON.stringify(annotations.metadata)}::jsonb, ${annotations.notes} FROM reserved`,
    );
    return inserted === 1;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Records money that staff returned by hand from a manual payment: no gateway takes part, so the refund has succeeded at once.
 * @returns as `beginRefund`
 */
export function recordManualRefund(refund: BeginRefund): Promise<boolean> {
  return transaction(db, async (tx) => {
    const begun = await beginRefund(refund, tx);
    if (begun) await settleFinal(tx, refund.id, "succeeded", { ref: null, failure: null, booked: null });
    return begun;
  });
}

interface RefundRow {
  id: string;
  payment_id: string;
  gateway_key: string;
  gateway_ref: string | null;
  amount_cents: number;
  currency: string;
  status: string;
  started_at: Date;
  age: number;
}

/**
 * Sends a committed refund to its gateway and settles the result. Never throws: a refund of unknown outcome stays
 * pending.
 */
export async function performRefund(refundId: string): Promise<void> {
  try {
    const [refund] = await refundsWhere(Prisma.sql`id = ${refundId}`);
    if (refund?.status !== "pending") return;
    await send(refund, await findCharge(refund.payment_id));
  } catch (error) {
    log.warn({ err: error, refund: refundId }, "outcome of a refund unknown");
  }
}

/**
 * Looks up every refund of a payment at the gateway and settles them. Refunds made outside Paydesk are imported, and so is
 * a second one that the gateway made for a refund of ours. A refund of ours that the gateway does not know is sent again
 * with the same key.
 * @throws when the gateway or the database is unreachable
 */
export async function reconcileRefunds(of: { paymentId: string } | { refundId: string }): Promise<void> {
  const paymentId =
    "paymentId" in of ? of.paymentId : (await refundsWhere(Prisma.sql`id = ${of.refundId}`))[0]?.payment_id;
  if (!paymentId) return;
  const charge = await findCharge(paymentId);
  const known = await withDeadline(charge.gateway.refundsOf(charge.ref), lookupDeadlineMs);
  const ours = await refundsWhere(Prisma.sql`payment_id = ${paymentId}`);
  // By reference if the row has one. Else by key, while its outcome is unknown: one that has failed is over.
  const matches = (row: RefundRow, { gatewayKey, ref }: KnownRefund) =>
    row.gateway_ref === null ? row.status === "pending" && row.gateway_key === gatewayKey : row.gateway_ref === ref;
  const rowOf = (refund: KnownRefund) => ours.find((row) => matches(row, refund));
  // A refund is committed before it is sent, so a key without a row belongs to a refund that was lost with a restored backup.
  const isLost = ({ gatewayKey }: KnownRefund) =>
    gatewayKey !== null && !ours.some((row) => row.gateway_key === gatewayKey);
  const unknownToGateway = ours.filter(
    (row) => row.status === "pending" && !known.some((refund) => matches(row, refund)),
  );
  // Failed refunds first, since they release their reserved amount. Imports last, when the most is available.
  const failedFirst = known.toSorted((a, b) => Number(b.status === "failed") - Number(a.status === "failed"));
  const steps: (() => Promise<unknown>)[] = [
    ...failedFirst.flatMap((refund) => {
      const row = rowOf(refund);
      if (!row) return [];
      if (row.status !== refund.status || row.status === "pending")
        return [() => settleRefund(row.id, asResult(refund))];
      const { booked, status } = refund;
      const exchanged = booked && booked.currency !== row.currency.trim();
      return exchanged ? [() => recordBookedRefund(row, booked, status === "failed")] : [];
    }),
    ...unknownToGateway.filter(({ age }) => age >= lostAfterSeconds).map((row) => () => send(row, charge)),
    ...known.filter((refund) => !rowOf(refund)).map((refund) => () => importRefund(charge, refund, isLost(refund))),
  ];
  // Run every step even if one fails.
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

const asResult = ({ status, ref, failure, booked }: KnownRefund): RefundResult =>
  status === "failed"
    ? { status, ref, failure: failure ?? "processing_error", booked }
    : { status, ref, failure: null, booked };

function refundsWhere(condition: Prisma.Sql): Promise<RefundRow[]> {
  return queryRows<RefundRow>(
    db,
    Prisma.sql`
    SELECT id, payment_id, gateway_key, gateway_ref, amount_cents, currency, status, started_at,
           extract(epoch FROM clock_timestamp() - started_at)::float8 AS age
      FROM refund WHERE ${condition} ORDER BY created_at, id`,
  );
}

/** Sends a refund and settles the result. A dispute that made the gateway refuse it is looked up. */
async function send(refund: RefundRow, { gateway, ref }: Charge): Promise<void> {
  const request: RefundRequest = {
    gatewayKey: refund.gateway_key,
    startedAt: refund.started_at,
    chargeRef: ref,
    amountCents: refund.amount_cents,
    currency: refund.currency.trim(),
  };
  const result = await withDeadline(gateway.refund(request), gatewayDeadlineMs);
  await settleRefund(refund.id, result);
  if (result.failure !== "payment_disputed") return;
  // The refund has its outcome already. If this fails, the hourly list finds the dispute.
  await reconcileDisputes(refund.payment_id).catch((err: unknown) =>
    log.warn({ err, refund: refund.id }, "the dispute behind a refused refund was not recorded"),
  );
}

/**
 * Writes the gateway's result to the refund, the sums and the journal, in one transaction. States move only
 * pending -> succeeded -> failed or pending -> failed, so repeated or late results change nothing.
 */
async function settleRefund(id: string, result: RefundResult): Promise<void> {
  const { status, ref } = result;
  if (status === "pending") {
    await db.refund.updateMany({ where: { id, gateway_ref: null, status }, data: { gateway_ref: ref } });
    return;
  }
  await transaction(db, (tx) => settleFinal(tx, id, status, result));
}

/** @param mayMail whether the payer gets a mail if it has succeeded */
async function settleFinal(
  tx: Db,
  id: string,
  to: "succeeded" | "failed",
  { ref, failure, booked }: Pick<RefundResult, "failure" | "booked"> & { ref: string | null },
  mayMail = true,
): Promise<void> {
  const now = clock.now();
  // Lock the payment before the refund, as beginRefund and importRefund do, to prevent deadlocks. Lock both before
  // reading: the sums below depend on the refund's current status.
  await queryRows(
    tx,
    Prisma.sql`
    SELECT FROM payment WHERE id = (SELECT payment_id FROM refund WHERE id = ${id}) FOR NO KEY UPDATE`,
  );
  const [was] = await queryRows<{ status: string; payment_id: string; amount_cents: number }>(
    tx,
    Prisma.sql`SELECT status, payment_id, amount_cents FROM refund WHERE id = ${id} FOR UPDATE`,
  );
  if (!was || was.status === to || was.status === "failed") return;
  // A return by the bank is a second fact: it has its own time (`returned_at`), and `settled_at` stays.
  await execute(
    tx,
    Prisma.sql`
    WITH was AS (SELECT status FROM refund WHERE id = ${id}), settled AS (
      UPDATE refund SET status = ${to}, failure_reason = ${failure}, gateway_ref = coalesce(${ref}, gateway_ref),
             settled_at = CASE was.status WHEN 'pending' THEN ${now}::timestamptz ELSE settled_at END,
             returned_at = CASE was.status WHEN 'succeeded' THEN ${now}::timestamptz END
        FROM was WHERE id = ${id}
      RETURNING business_id, livemode, refund.status, settled_at, returned_at, amount_cents, currency
    )
    INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
    SELECT business_id, livemode, settled_at, amount_cents, 1, currency, 'refunded' FROM settled WHERE status = 'succeeded'
    UNION ALL
    SELECT business_id, livemode, returned_at, -amount_cents, -1, currency, 'refunded' FROM settled WHERE returned_at IS NOT NULL`,
  );
  const fromPending = was.status === "pending" ? was.amount_cents : 0;
  const toRefunded = to === "succeeded" ? was.amount_cents : was.status === "succeeded" ? -was.amount_cents : 0;
  const payment = await tx.payment.update({
    where: { id: was.payment_id },
    data: { refund_pending_cents: { decrement: fromPending }, refunded_cents: { increment: toRefunded } },
  });
  if (toRefunded !== 0) await postRefund(tx, { id, cents: was.amount_cents, toRefunded, booked }, payment, now);
  const tenant = { businessId: payment.business_id, livemode: payment.livemode };
  await recordRefund(tx, tenant, { id, paymentId: payment.id, to, mayMail });
}

/** @param isLost whether it was made here and a restored database lacks it: if it had succeeded, its mail was sent */
async function importRefund(charge: Charge, refund: KnownRefund, isLost: boolean): Promise<void> {
  if (refund.status === "failed") return;
  const result = asResult(refund);
  // In one transaction: a later run would not know that a refund it finds was lost.
  const isImported = await transaction(db, async (tx) => {
    const id = await insertImported(tx, charge, refund);
    if (id && result.status !== "pending") await settleFinal(tx, id, result.status, result, !isLost);
    return id !== null;
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return false;
  });
  if (isImported) return;
  // A concurrent callback may have imported it first.
  const row = await db.refund.findFirst({ where: { gateway_ref: refund.ref, payment_id: charge.paymentId } });
  // Pending refunds of ours reserve the amount. The gateway will refuse them, and a later run can import this one.
  if (!row) throw new Error(`A refund made at the gateway does not fit into payment ${charge.paymentId} yet.`);
  await settleRefund(row.id, result);
}

/**
 * @returns null, with nothing written, when the amount exceeds the unrefunded rest
 * @throws a unique violation when the refund is imported already
 */
async function insertImported(
  tx: Db,
  { paymentId, gateway }: Charge,
  { ref, amountCents }: KnownRefund,
): Promise<string | null> {
  const id = newId("ref");
  const count = await execute(
    tx,
    Prisma.sql`
    WITH reserved AS (
      UPDATE payment SET refund_pending_cents = refund_pending_cents + ${amountCents}
       WHERE id = ${paymentId} AND status = 'succeeded'
         AND refunded_cents + refund_pending_cents + ${amountCents} <= amount_cents
      RETURNING id, business_id, livemode, payment_link_id, currency
    )
    INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, gateway_ref, amount_cents,
                        currency, reason)
    SELECT ${id}, business_id, livemode, id, payment_link_id, ${id}, ${ref}, ${amountCents}, currency,
           ${`Made at ${gateway.name}`} FROM reserved`,
  );
  return count === 1 ? id : null;
}
