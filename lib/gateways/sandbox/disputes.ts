import { clock } from "@/lib/core/clock";
import { db, Prisma } from "@/lib/core/db";
import type { DisputedPayment, KnownDispute } from "@/lib/gateways/gateway";
import { type DisputeReason, type DisputeStatus, disputeReasons } from "@/lib/gateways/reasons";
import type { SandboxDispute } from "@/lib/generated/prisma/client";
import { type Note, noteOf } from "./callbacks";
import type { Behaviour } from "./cards";
import { planDispute, responseTimeMs } from "./plan";

/** The sandbox's fee for a dispute that withdraws money. It is not given back. */
const disputeFeeCents = 1_500;

/** The dispute that a test card opens if its charge succeeds; null for cards that open none. */
export function newDispute(behaviour: Behaviour, ref: string, now: Date) {
  const plan = planDispute(behaviour);
  if (!plan) return null;
  const withdraws = plan.outcome !== "closed";
  return {
    ...{ ref, reason: plan.reason, outcome: plan.outcome, fee_cents: withdraws ? disputeFeeCents : 0 },
    ...{ opened_at: now, withdrawn_at: withdraws ? now : null },
    respond_by: new Date(now.getTime() + responseTimeMs),
    decided_at: new Date(now.getTime() + plan.decidedAfterMs),
  };
}

export type NewDispute = NonNullable<ReturnType<typeof newDispute>>;

/** SQL: inserts the disputes of the charges in the CTE `made`, from the column `dispute` of the CTE `wanted`. */
export const insertDisputes = Prisma.sql`
  INSERT INTO sandbox_dispute (ref, charge_ref, amount_cents, fee_cents, reason, outcome, opened_at, withdrawn_at, respond_by,
                               decided_at)
  SELECT d.ref, made.ref, made.amount_cents, d.fee_cents, d.reason, d.outcome, d.opened_at, d.withdrawn_at, d.respond_by, d.decided_at
    FROM made JOIN wanted USING (gateway_key),
         json_to_record(wanted.dispute) AS d (ref text, fee_cents int, reason text, outcome text, opened_at timestamptz,
                                              withdrawn_at timestamptz, respond_by timestamptz, decided_at timestamptz)
   WHERE made.status = 'succeeded' AND d.ref IS NOT NULL`;

export function disputeNotes(behaviour: Behaviour, gatewayKey: string, now: Date): Note[] {
  const plan = planDispute(behaviour);
  if (!plan) return [];
  const decided = noteOf("dispute", gatewayKey, plan.outcome, new Date(now.getTime() + plan.decidedAfterMs));
  return [noteOf("dispute", gatewayKey, "opened", now), decided];
}

/** Cents of a charge that its bank has taken back, as an SQL expression. */
export const takenBackCents = (chargeRef: string, now: Date): Prisma.Sql => Prisma.sql`
  (SELECT coalesce(sum(amount_cents), 0) FROM sandbox_dispute
    WHERE charge_ref = ${chargeRef} AND withdrawn_at <= ${now}::timestamptz
      AND NOT (outcome = 'won' AND decided_at <= ${now}::timestamptz))`;

/** Whether the bank has taken the charge back and not decided yet, as an SQL expression. */
export const undecided = (chargeRef: string, now: Date): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM sandbox_dispute
           WHERE charge_ref = ${chargeRef} AND withdrawn_at <= ${now}::timestamptz AND decided_at > ${now}::timestamptz)`;

/** Oldest first. */
export async function listDisputes(account: string, chargeRef: string): Promise<KnownDispute[]> {
  const rows = await db.sandboxDispute.findMany({
    where: { charge: { ref: chargeRef, account }, opened_at: { lte: clock.now() } },
    include: { charge: { select: { currency: true } } },
    orderBy: [{ opened_at: "asc" }, { ref: "asc" }],
  });
  return rows.map((row) => read(row, row.charge.currency));
}

export async function disputedSince(account: string, since: Date): Promise<DisputedPayment[]> {
  const rows = await db.sandboxDispute.findMany({
    where: { charge: { account }, opened_at: { gte: since, lte: clock.now() } },
    select: { ref: true, charge: { select: { gateway_key: true } } },
  });
  return rows.map(({ ref, charge }) => ({ key: charge.gateway_key, ref }));
}

function read(row: SandboxDispute, currency: string): KnownDispute {
  const { ref, amount_cents: amountCents, fee_cents: feeCents } = row;
  const now = clock.now();
  const withdrawn = row.withdrawn_at !== null && row.withdrawn_at <= now;
  const decided = row.decided_at <= now;
  const movements: KnownDispute["movements"] = [];
  if (withdrawn) movements.push({ ref: `${ref}_out`, kind: "withdrawn", amountCents, currency, feeCents });
  if (withdrawn && decided && row.outcome === "won")
    movements.push({ ref: `${ref}_in`, kind: "returned", amountCents, currency, feeCents: 0 });
  return {
    ref,
    amountCents,
    currency,
    reason: reasonOf(row.reason),
    status: statusOf(row.outcome, { withdrawn, decided }),
    respondBy: row.respond_by,
    openedAt: row.opened_at,
    movements,
  };
}

function statusOf(outcome: string, { withdrawn, decided }: { withdrawn: boolean; decided: boolean }): DisputeStatus {
  if (!withdrawn) return decided ? "inquiry_closed" : "inquiry_needs_response";
  if (!decided) return "needs_response";
  return outcome === "won" ? "won" : "lost";
}

function reasonOf(value: string): DisputeReason {
  return Object.keys(disputeReasons).find((name): name is DisputeReason => name === value) ?? "general";
}
