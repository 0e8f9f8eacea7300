import type { Tenant } from "@/lib/auth/actor";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import { log } from "@/lib/core/log";
import { gatewayOf } from "@/lib/gateways/for-business";
import type { Gateway, KnownRefund, RefundRequest, RefundResult } from "@/lib/gateways/gateway";
import { record, type Told } from "@/lib/outbox/record";
import { payments } from "@/lib/resources/payments/resource";
import { refunds } from "@/lib/resources/refunds/resource";
import { gatewayDeadline, lookupDeadline, lostAfter, withDeadline } from "./deadline";

export interface BeginRefund {
  /** The refund's id, and its key at the gateway. */
  id: string;
  paymentId: string;
  /** Null: all that is left. */
  amountCents: number | null;
  /** The merchant's words. */
  reason: string | null;
}

/**
 * Reserves the amount in the payment's row and commits the refund, in one statement: however many begin at once, together
 * they never return more than was paid.
 * @returns false when so much is not left, nothing was paid, or the refund was begun before; nothing was written then.
 */
export async function beginRefund({ id, paymentId, amountCents, reason }: BeginRefund): Promise<boolean> {
  const wanted = amountCents ?? null;
  try {
    const begun = await execute(
      db,
      Prisma.sql`
      WITH asked AS (
        SELECT id, coalesce(${wanted}::int, amount_cents - refunded_cents - refund_pending_cents) AS cents
          FROM payment WHERE id = ${paymentId} AND status = 'succeeded' FOR UPDATE
      ), reserved AS (
        UPDATE payment SET refund_pending_cents = refund_pending_cents + asked.cents FROM asked
         WHERE payment.id = asked.id AND asked.cents > 0
           AND refunded_cents + refund_pending_cents + asked.cents <= amount_cents
        RETURNING payment.id, business_id, livemode, payment_link_id, currency, asked.cents
      )
      INSERT INTO refund (id, business_id, livemode, payment_id, payment_link_id, gateway_key, amount_cents, currency, reason)
      SELECT ${id}, business_id, livemode, id, payment_link_id, ${id}, cents, currency, ${reason} FROM reserved`,
    );
    return begun === 1;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

interface RefundRow {
  id: string;
  payment_id: string;
  gateway_key: string;
  gateway_ref: string | null;
  amount_cents: number;
  currency: string;
  status: string;
  age: number;
}

/** Asks the gateway for a committed refund and writes down its answer. Never throws: what is not known stays pending. */
export async function performRefund(refundId: string): Promise<void> {
  try {
    const [refund] = await refundsWhere(Prisma.sql`id = ${refundId}`);
    if (refund?.status !== "pending") return;
    const payment = await findCharge(refund.payment_id);
    await send(refund, payment);
  } catch (error) {
    log.warn({ err: error, refund: refundId }, "outcome of a refund unknown");
  }
}

/**
 * Asks the gateway about every refund of a payment, and settles them. One that was made elsewhere is taken into the books;
 * one of ours that the gateway has not heard of is sent again, with its own key.
 * @throws when the gateway or the database cannot be reached
 */
export async function reconcileRefunds(of: { paymentId: string } | { refundId: string }): Promise<void> {
  const paymentId =
    "paymentId" in of ? of.paymentId : (await refundsWhere(Prisma.sql`id = ${of.refundId}`))[0]?.payment_id;
  if (!paymentId) return;
  const charge = await findCharge(paymentId);
  const known = await withDeadline(charge.gateway.refundsOf(charge.ref), lookupDeadline);
  const ours = await refundsWhere(Prisma.sql`payment_id = ${paymentId}`);
  // Never key with reference: a refund made elsewhere has no key of ours, and one of ours that was lost no reference.
  const isOf = (row: RefundRow, { gatewayKey, ref }: KnownRefund) =>
    row.gateway_key === gatewayKey || row.gateway_ref === ref;
  const rowOf = (refund: KnownRefund) => ours.find((row) => isOf(row, refund));
  const unheard = ours.filter((row) => row.status === "pending" && !known.some((refund) => isOf(row, refund)));
  // What failed gives back its room first; what was made elsewhere comes last, when there is as much room as there can be.
  const failedFirst = known.toSorted((a, b) => Number(b.status === "failed") - Number(a.status === "failed"));
  const steps = [
    ...failedFirst.flatMap((refund) => {
      const row = rowOf(refund);
      const news = row && (row.status !== refund.status || row.status === "pending");
      return news ? [() => settleRefund(row.id, asResult(refund))] : [];
    }),
    ...unheard.filter(({ age }) => age >= lostAfter).map((row) => () => send(row, charge)),
    ...known.filter((refund) => !rowOf(refund)).map((refund) => () => takeIn(charge, refund)),
  ];
  // One that cannot be settled is no reason to leave the others as they are.
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

const asResult = ({ status, ref, failure }: KnownRefund): RefundResult =>
  status === "failed" ? { status, ref, failure: failure ?? "processing_error" } : { status, ref, failure: null };

function refundsWhere(condition: Prisma.Sql): Promise<RefundRow[]> {
  return queryRows<RefundRow>(
    db,
    Prisma.sql`
    SELECT id, payment_id, gateway_key, gateway_ref, amount_cents, currency, status,
           extract(epoch FROM clock_timestamp() - created_at)::float8 AS age
      FROM refund WHERE ${condition} ORDER BY created_at, id`,
  );
}

interface Charge {
  paymentId: string;
  ref: string;
  gateway: Gateway;
}

async function findCharge(paymentId: string): Promise<Charge> {
  const payment = await db.payment.findUniqueOrThrow({ where: { id: paymentId } });
  if (payment.status !== "succeeded" || payment.gateway_ref === null)
    throw new Error(`Payment ${paymentId} has no charge to return money from.`);
  return { paymentId, ref: payment.gateway_ref, gateway: await gatewayOf(payment) };
}

async function send(refund: RefundRow, { gateway, ref }: Charge): Promise<void> {
  const request: RefundRequest = {
    gatewayKey: refund.gateway_key,
    chargeRef: ref,
    amountCents: refund.amount_cents,
    currency: refund.currency.trim(),
  };
  await settleRefund(refund.id, await withDeadline(gateway.refund(request), gatewayDeadline));
}

/**
 * Writes down what the gateway said of a refund, with the sums and the journal, in one transaction. States move only
 * pending -> succeeded -> failed or pending -> failed: whatever is said twice, or late, changes nothing.
 */
async function settleRefund(id: string, result: RefundResult): Promise<void> {
  const { status, ref, failure } = result;
  if (status === "pending") {
    await db.refund.updateMany({ where: { id, gateway_ref: null, status }, data: { gateway_ref: ref } });
    return;
  }
  await transaction(db, (tx) => move(tx, id, status, ref, failure));
}

async function move(
  tx: Db,
  id: string,
  to: "succeeded" | "failed",
  ref: string | null,
  failure: string | null,
): Promise<void> {
  const now = clock.now();
  // The payment before the refund, in the order of whoever begins one or takes one in: otherwise two could wait for each
  // other. Both before anything is written: the sums below depend on where the refund comes from.
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
  await tx.refund.update({
    where: { id },
    data: { status: to, failure_reason: failure, settled_at: now, ...(ref === null ? {} : { gateway_ref: ref }) },
  });
  const fromPending = was.status === "pending" ? was.amount_cents : 0;
  const toRefunded = to === "succeeded" ? was.amount_cents : was.status === "succeeded" ? -was.amount_cents : 0;
  const payment = await tx.payment.update({
    where: { id: was.payment_id },
    data: { refund_pending_cents: { decrement: fromPending }, refunded_cents: { increment: toRefunded } },
  });
  if (toRefunded !== 0) await book(tx, id, payment, was.amount_cents, toRefunded, now);
  await tell(tx, { businessId: payment.business_id, livemode: payment.livemode }, id, payment.id, to);
}

/** Refunds that fail before any money moved are told all the same: somebody waits for them. */
async function tell(tx: Db, tenant: Tenant, id: string, paymentId: string, to: "succeeded" | "failed"): Promise<void> {
  const happened: Told =
    to === "succeeded"
      ? { type: "payment.refunded", data: await payments.get(tx, tenant, paymentId) }
      : { type: "refund.failed", data: await refunds.get(tx, tenant, id) };
  await record(tx, tenant, [happened]);
}

type Paid = { id: string; business_id: number; livemode: boolean; payment_link_id: string; currency: string };

/** @param toRefunded cents that are added to what was returned, or taken from it */
async function book(tx: Db, id: string, payment: Paid, cents: number, toRefunded: number, now: Date): Promise<void> {
  await tx.paymentLink.update({
    where: { id: payment.payment_link_id },
    data: { refunded_cents: { increment: toRefunded } },
  });
  const [kind, debit, credit] =
    toRefunded > 0 ? ["refund", "refunds", "gateway"] : ["refund_returned", "gateway", "refunds"];
  await tx.posting.create({
    data: {
      business_id: payment.business_id,
      livemode: payment.livemode,
      kind,
      payment_id: payment.id,
      refund_id: id,
      debit,
      credit,
      amount_cents: cents,
      currency: payment.currency,
      created_at: now,
    },
  });
}

/** A refund that was made at the gateway, without us, becomes a row of ours as if we had begun it. */
async function takeIn(charge: Charge, refund: KnownRefund): Promise<void> {
  if (refund.status === "failed") return;
  await enter(charge, refund);
  // Ours, or that of another callback which was here first.
  const row = await db.refund.findFirst({ where: { gateway_ref: refund.ref, payment_id: charge.paymentId } });
  // Refunds of ours are in the way that the gateway will refuse: once it has, there is room.
  if (!row) throw new Error(`A refund made at the gateway does not fit into payment ${charge.paymentId} yet.`);
  await settleRefund(row.id, asResult(refund));
}

/** Writes nothing where there is no room, or where it is there already. */
async function enter({ paymentId, gateway }: Charge, { ref, amountCents }: KnownRefund): Promise<void> {
  const id = newId("ref");
  try {
    await execute(
      db,
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
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
}
