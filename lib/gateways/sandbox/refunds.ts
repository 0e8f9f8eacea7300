import { clock } from "@/lib/core/clock";
import { db, isUniqueViolation, Prisma, queryRows } from "@/lib/core/db";
import type { KnownRefund, RefundRequest, RefundResult } from "@/lib/gateways/gateway";
import { type RefundFailure, refundFailures } from "@/lib/gateways/reasons";
import type { SandboxCharge, SandboxRefund } from "@/lib/generated/prisma/client";
import { insertNotes, type Note, noteOf, repeated } from "./callbacks";
import { newRef, stateOf } from "./charges";
import { takenBackCents, undecided } from "./disputes";
import { planRefund, type RefundPlan } from "./plan";

/**
 * Refunds a charge, once per key and never more than the charge in all, less what its bank has taken back. The lock on the charge's row serializes
 * concurrent refunds.
 * @throws Error when the charge does not exist or has not succeeded, or the key was used for another refund
 */
export async function makeRefund(account: string, request: RefundRequest): Promise<RefundResult> {
  const { gatewayKey, chargeRef, amountCents, currency } = request;
  const charge = await db.sandboxCharge.findFirst({ where: { ref: chargeRef, account } });
  if (!charge || stateOf(charge) !== "succeeded") throw new Error("The sandbox has no such payment to refund.");
  if (charge.currency !== currency || amountCents < 1)
    throw new Error("The amount or currency does not match the payment.");
  const plan = planRefund(charge.behaviour);
  const known =
    plan.status === "failed"
      ? ((await refuse(account, request, charge, "declined")) ?? (await findRefund(gatewayKey)))
      : await takeOrRefuse(account, request, charge, plan);
  if (!known) throw new Error("The sandbox could not make the refund.");
  if (known.charge_ref !== chargeRef || known.amount_cents !== amountCents) {
    throw new Error("This gateway key was used for another refund.");
  }
  const { ref, status, failure } = read(known);
  const booked = null; // in the charge's own currency
  return status === "failed"
    ? { status, ref, failure: failure ?? "processing_error", booked }
    : { status, ref, failure: null, booked };
}

const findRefund = (gatewayKey: string) => db.sandboxRefund.findUnique({ where: { gateway_key: gatewayKey } });

async function takeOrRefuse(account: string, request: RefundRequest, charge: SandboxCharge, plan: RefundPlan) {
  const first = (await take(account, request, charge, plan)) ?? (await findRefund(request.gatewayKey));
  if (first) return first;
  // Refunds that banks have returned can be made again.
  await releaseReturned(request.chargeRef);
  return (
    (await take(account, request, charge, plan)) ??
    (await refuse(account, request, charge, await refusalOf(charge))) ??
    findRefund(request.gatewayKey)
  );
}

async function refusalOf({ ref }: SandboxCharge): Promise<RefundFailure> {
  const [disputed] = await queryRows<{ cents: number }>(
    db,
    Prisma.sql`SELECT ${takenBackCents(ref, clock.now())}::int AS cents`,
  );
  return disputed && disputed.cents > 0 ? "payment_disputed" : "already_refunded";
}

/** Reserves the amount in the charge's row and inserts the refund. Null when less is left, or the key is used. */
async function take(
  account: string,
  { gatewayKey, chargeRef, amountCents }: RefundRequest,
  charge: SandboxCharge,
  plan: RefundPlan,
): Promise<SandboxRefund | null> {
  const now = clock.now();
  const settlesAt = plan.decidedAfterMs === null ? null : new Date(now.getTime() + plan.decidedAfterMs);
  try {
    const [made] = await queryRows<SandboxRefund>(
      db,
      Prisma.sql`
      WITH charge AS (
        UPDATE sandbox_charge SET refunded_cents = refunded_cents + ${amountCents}::int
         WHERE ref = ${chargeRef} AND account = ${account} AND NOT ${undecided(chargeRef, now)}
           AND amount_cents - refunded_cents - ${takenBackCents(chargeRef, now)} >= ${amountCents}::int
           AND NOT EXISTS (SELECT FROM sandbox_refund WHERE gateway_key = ${gatewayKey})
        RETURNING ref
      ), made AS (
        INSERT INTO sandbox_refund (gateway_key, ref, charge_ref, amount_cents, status, failure_reason, settles_at)
        SELECT ${gatewayKey}::text, ${newRef("re")}::text, ref, ${amountCents}::int, ${plan.status}::text,
               ${plan.failure}::text, ${settlesAt}::timestamptz
          FROM charge
        RETURNING *
      ), callbacks AS (${insertNotes(account, notesOf(charge, plan, now, settlesAt))})
      SELECT * FROM made`,
    );
    return made ?? null;
  } catch (error) {
    // A concurrent call with the same key won.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

function notesOf(charge: SandboxCharge, plan: RefundPlan, now: Date, settlesAt: Date | null): Note[] {
  const note = (status: string, at: Date) => noteOf("refund", charge.gateway_key, status, at);
  const notes = [note(plan.status, now)];
  if (settlesAt) notes.push(note(plan.failure ? "failed" : "succeeded", settlesAt));
  return repeated(notes, charge.behaviour);
}

/** Stores a refused refund, so that its key always returns the same result. Null when the key is used. */
async function refuse(
  account: string,
  { gatewayKey, chargeRef, amountCents }: RefundRequest,
  charge: SandboxCharge,
  failure: RefundFailure,
): Promise<SandboxRefund | null> {
  const notes = repeated([noteOf("refund", charge.gateway_key, "failed", clock.now())], charge.behaviour);
  const [made] = await queryRows<SandboxRefund>(
    db,
    Prisma.sql`
    WITH made AS (
      INSERT INTO sandbox_refund (gateway_key, ref, charge_ref, amount_cents, status, failure_reason)
      VALUES (${gatewayKey}, ${newRef("re")}, ${chargeRef}, ${amountCents}, 'failed', ${failure})
      ON CONFLICT (gateway_key) DO NOTHING
      RETURNING *
    ), callbacks AS (${insertNotes(account, notes)})
    SELECT * FROM made`,
  );
  return made ?? null;
}

async function releaseReturned(chargeRef: string): Promise<void> {
  await queryRows(
    db,
    Prisma.sql`
    WITH returned AS (
      UPDATE sandbox_refund SET status = 'failed'
       WHERE charge_ref = ${chargeRef} AND status = 'succeeded' AND failure_reason IS NOT NULL AND settles_at <= ${clock.now()}
      RETURNING amount_cents
    )
    UPDATE sandbox_charge SET refunded_cents = refunded_cents - (SELECT sum(amount_cents) FROM returned)::int
     WHERE ref = ${chargeRef} AND EXISTS (SELECT FROM returned)`,
  );
}

/** Oldest first. */
export async function listRefunds(account: string, chargeRef: string): Promise<KnownRefund[]> {
  const rows = await db.sandboxRefund.findMany({
    where: { charge: { ref: chargeRef, account } },
    orderBy: [{ created_at: "asc" }, { ref: "asc" }],
  });
  return rows.map(read);
}

function read(row: SandboxRefund): KnownRefund {
  const decided = row.settles_at !== null && row.settles_at <= clock.now();
  const status = decided ? (row.failure_reason ? "failed" : "succeeded") : row.status;
  if (status !== "pending" && status !== "succeeded" && status !== "failed") {
    throw new Error(`A sandbox refund has no status ${status}.`);
  }
  const failure = status === "failed" ? failureOf(row.failure_reason) : null;
  return { ref: row.ref, gatewayKey: row.gateway_key, amountCents: row.amount_cents, status, failure, booked: null };
}

function failureOf(value: string | null): RefundFailure {
  const known = Object.keys(refundFailures).find((name): name is RefundFailure => name === value);
  return known ?? "processing_error";
}
