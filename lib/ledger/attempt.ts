import { randomBytes } from "node:crypto";
import { clock } from "@/lib/core/clock";
import { type Db, db, execute, isUniqueViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { log } from "@/lib/core/log";
import type { ChargeResult, Fee, FinalResult, Gateway } from "@/lib/gateways/gateway";
import { afterSettled, lockPeriod } from "@/lib/periods/after-settlement";
import type { PaymentLink } from "@/lib/resources/payment-links/contract";
import { paymentLinks } from "@/lib/resources/payment-links/resource";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { payments } from "@/lib/resources/payments/resource";
import { recordSettled } from "./events";

/** An attempt is open while money may still move; then it is final. */
export const openStatuses = ["created", "sending", "requires_action", "unknown"] as const;
const isOpen = Prisma.sql`status IN ('created', 'sending', 'requires_action', 'unknown')`;

export type Attempt = { id: string; linkId: string; gatewayKey: string; startedAt: Date };

/** The amount that the payer agreed to. The attempt starts only if the link still has it. */
export type Shown = { amountCents: number; currency: string };

export interface Begin {
  /** Becomes the payment's id and its idempotency key at the gateway. */
  id: string;
  linkId: string;
  shown: Shown;
  gateway: Gateway;
  /**
   * The saved card to charge; null when the payer is present. Must be active and match the link's tenant and e-mail.
   */
  tokenizationId: string | null;
  /** Set by billing: the subscription must be running, and `at` must equal the link's `next_step_at`. */
  step?: { subscriptionId: string; at: Date | null };
}

/**
 * Commits the attempt and moves the link Active -> Processing. One statement does both, so a concurrent edit, expiry,
 * deletion or payment of the link happens before or after it, never in between.
 * @returns null, with nothing written, when the link is not payable, the amount or card does not match, or the attempt
 * already exists
 */
export async function beginAttempt({
  id,
  linkId,
  shown,
  gateway,
  tokenizationId,
  step,
}: Begin): Promise<Attempt | null> {
  const mayUse =
    tokenizationId === null
      ? Prisma.sql`true`
      : Prisma.sql`EXISTS (
          SELECT FROM tokenization t WHERE t.id = ${tokenizationId} AND t.business_id = payment_link.business_id
             AND t.livemode = payment_link.livemode AND t.status = 'active' AND lower(t.email COLLATE "C") = lower(payment_link.email COLLATE "C"))`;
  // FOR SHARE: a concurrent cancel or pause commits before this statement or waits for it.
  const running = step
    ? Prisma.sql`running AS MATERIALIZED (
        SELECT id FROM subscription WHERE id = ${step.subscriptionId} AND deleted_at IS NULL
           AND status IN ('created', 'active', 'past_due', 'unpaid') FOR SHARE),`
    : Prisma.empty;
  const isStep = step
    ? Prisma.sql`subscription_id IN (SELECT id FROM running) AND date_trunc('milliseconds', next_step_at) IS NOT DISTINCT FROM ${step.at}::timestamptz`
    : Prisma.sql`true`;
  try {
    const [started] = await queryRows<{ created_at: Date }>(
      db,
      Prisma.sql`
      WITH ${running} link AS (
        UPDATE payment_link SET status = 'Processing'
         -- The concatenation keeps the planner on the primary key, away from the index of active links.
         WHERE id = ${linkId} AND status || '' = 'Active' AND deleted_at IS NULL
           AND (expires_at IS NULL OR expires_at > ${clock.now()}::timestamptz)
           AND amount_cents = ${shown.amountCents}::int AND currency = ${shown.currency} AND ${mayUse} AND ${isStep}
        RETURNING id, business_id, livemode, amount_cents, currency
      )
      INSERT INTO payment (id, business_id, livemode, payment_link_id, gateway, gateway_account_id, gateway_key,
                           tokenization_id, amount_cents, currency, status)
      SELECT ${id}, business_id, livemode, id, ${gateway.name}, ${gateway.accountId}, ${id},
             ${tokenizationId}, amount_cents, currency, 'sending' FROM link
      RETURNING created_at`,
    );
    return started ? { id, linkId, gatewayKey: id, startedAt: started.created_at } : null;
  } catch (error) {
    // A unique index refused it: another attempt is open or has succeeded, or this id exists.
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/**
 * Writes the gateway's result to the attempt, the link and the journal, in one transaction. Idempotent: a repeated
 * result, or an older one after a final one, changes nothing.
 */
export async function settle(attempt: Pick<Attempt, "id" | "linkId">, result: ChargeResult): Promise<void> {
  switch (result.outcome) {
    case "action":
    case "pending":
      return recordOpen(attempt, result);
    default:
      await transaction(db, (tx) => settleFinal(tx, attempt, result));
  }
}

async function recordOpen({ id }: Pick<Attempt, "id">, result: Exclude<ChargeResult, FinalResult>): Promise<void> {
  const { outcome, ref, card } = result;
  const [status, from] =
    outcome === "action"
      ? ["requires_action", ["created", "sending", "unknown"]]
      : ["unknown", ["created", "sending", "requires_action"]];
  await db.payment.updateMany({
    where: { id, OR: [{ status: { in: from } }, { status, gateway_ref: null }] },
    data: { status, gateway_ref: ref, card_brand: card?.brand, card_last4: card?.last4 },
  });
}

/** Returned by the settling statement, so that no second query reads it. */
interface SettledRow {
  payment: PaymentOfLink;
  link: PaymentLink | null;
  business_id: number;
  livemode: boolean;
  saved_card: boolean;
  other_open: boolean;
  receipt: boolean;
}

async function settleFinal(tx: Db, attempt: Pick<Attempt, "id" | "linkId">, result: FinalResult): Promise<void> {
  const now = clock.now();
  const paid = result.outcome === "succeeded";
  // A fee that exceeds the integer column is dropped: the payment must still settle.
  const fee = paid && result.fee && result.fee.cents <= 2_147_483_647 ? result.fee : null;
  const period = await lockPeriod(tx, attempt.linkId);
  const [done] = await queryRows<SettledRow>(
    tx,
    Prisma.sql`
    WITH settled AS (
      UPDATE payment SET status = ${paid ? "succeeded" : "failed"}, reason = ${paid ? null : result.reason},
             gateway_ref = coalesce(${result.ref}, gateway_ref), settled_at = ${now}::timestamptz,
             card_brand = coalesce(${result.card?.brand ?? null}, card_brand),
             card_last4 = coalesce(${result.card?.last4 ?? null}, card_last4),
             receipt_token = ${paid ? randomBytes(32).toString("base64url") : null},
             fee_cents = ${fee?.cents ?? null}::int, fee_currency = ${fee?.currency ?? null}
       WHERE id = ${attempt.id} AND payment_link_id = ${attempt.linkId} AND ${isOpen}
      RETURNING *
    ), moved AS (
      UPDATE payment_link SET status = ${paid ? "Paid" : "Active"}, paid_at = ${paid ? now : null}::timestamptz,
             next_step_at = CASE WHEN ${paid} THEN NULL ELSE next_step_at END,
             attempt_count = attempt_count + CASE WHEN ${paid} AND subscription_id IS NOT NULL
                                                   AND settled.tokenization_id IS NOT NULL THEN 1 ELSE 0 END
        FROM settled WHERE payment_link.id = settled.payment_link_id AND payment_link.status = 'Processing'
      RETURNING payment_link.*
    ), posted AS (
      INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
      SELECT business_id, livemode, 'payment', id, 'gateway', 'sales', amount_cents, currency, ${now}::timestamptz
        FROM settled WHERE status = 'succeeded'
      UNION ALL
      SELECT business_id, livemode, 'fee', id, 'fees', 'gateway', fee_cents, fee_currency, ${now}::timestamptz
        FROM settled WHERE fee_cents > 0
    ), summed AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, settled_at, amount_cents, 1, currency,
             CASE status WHEN 'succeeded' THEN 'collected' ELSE 'failed' END FROM settled
      UNION ALL
      SELECT business_id, livemode, settled_at, fee_cents, 1, fee_currency, 'fee' FROM settled WHERE fee_cents IS NOT NULL
    )
    SELECT (SELECT row_to_json(p) FROM (SELECT ${payments.columns(now)} FROM settled AS payment) AS p) AS payment,
           (SELECT row_to_json(l) FROM (SELECT ${paymentLinks.columns(now)} FROM moved) AS l) AS link, business_id, livemode, tokenization_id IS NOT NULL AS saved_card,
           EXISTS (SELECT FROM moved JOIN payment_link o ON o.subscription_id = moved.subscription_id
                    WHERE o.id <> moved.id AND o.status IN ('Active', 'Processing') AND o.deleted_at IS NULL) AS other_open,
           (SELECT b.send_receipts FROM business b WHERE b.id = settled.business_id) AS receipt
      FROM settled`,
  );
  if (!done) return; // already final
  if (!done.link) throw new Error(`Attempt ${attempt.id} was open on a link that is not Processing.`);
  const reason = paid ? null : result.reason;
  const change = period
    ? await afterSettled(tx, period, { reason, savedCard: done.saved_card, otherOpen: done.other_open, now })
    : null;
  const tenant = { businessId: done.business_id, livemode: done.livemode };
  const { payment, link, receipt } = done;
  await recordSettled(tx, tenant, { payment, link, receipt, period, change });
}

/** Records a fee that the gateway reported after the charge. Idempotent. */
export async function recordFee(paymentId: string, fee: Fee): Promise<void> {
  await execute(
    db,
    Prisma.sql`
    WITH recorded AS (
      UPDATE payment SET fee_cents = ${fee.cents}, fee_currency = ${fee.currency}
       WHERE id = ${paymentId} AND status = 'succeeded' AND fee_cents IS NULL
      RETURNING id, business_id, livemode, settled_at, fee_cents, fee_currency
    ), summed AS (
      INSERT INTO settled_change (business_id, livemode, settled_at, cents, count, currency, kind)
      SELECT business_id, livemode, settled_at, fee_cents, 1, fee_currency, 'fee' FROM recorded WHERE settled_at IS NOT NULL
    )
    INSERT INTO posting (business_id, livemode, kind, payment_id, debit, credit, amount_cents, currency, created_at)
    SELECT business_id, livemode, 'fee', id, 'fees', 'gateway', fee_cents, fee_currency, ${clock.now()}::timestamptz
      FROM recorded WHERE fee_cents > 0`,
  );
}

/** For a gateway call that failed or timed out: money may have moved, so the link stays Processing. */
export async function setUnknown(attempt: Pick<Attempt, "id">, error: unknown): Promise<void> {
  log.warn({ err: error, payment: attempt.id }, "outcome of a payment attempt unknown");
  await db.payment.updateMany({ where: { id: attempt.id, status: "sending" }, data: { status: "unknown" } });
}
