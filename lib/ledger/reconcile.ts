import { db, Prisma, queryRows } from "@/lib/core/db";
import type { ChargeResult, Gateway, SentAttempt } from "@/lib/gateways/gateway";
import { openStatuses, settle } from "./attempt";
import { gatewayDeadlineMs, lookupDeadlineMs, lostAfterSeconds, withDeadline } from "./deadline";
import { gatewayOf } from "./gateways";

interface Row {
  id: string;
  business_id: number;
  livemode: boolean;
  payment_link_id: string;
  gateway: string;
  gateway_account_id: string | null;
  gateway_key: string;
  gateway_ref: string | null;
  card_ref: string | null;
  status: string;
  amount_cents: number;
  currency: string;
  started_at: Date;
  age: number;
}

export type KnownAttempt = {
  id: string;
  linkId: string;
  status: string;
  ageSeconds: number;
  gateway: Gateway;
  sent: SentAttempt;
};

/**
 * An attempt with its gateway and the data to look it up there; null when the payment does not exist.
 * @throws Error when the gateway account is missing or its keys do not decrypt
 */
export async function findAttempt(paymentId: string): Promise<KnownAttempt | null> {
  const [row] = await queryRows<Row>(
    db,
    Prisma.sql`
    SELECT p.id, p.business_id, p.livemode, p.payment_link_id, p.gateway, p.gateway_account_id, p.gateway_key,
           p.gateway_ref, t.gateway_card AS card_ref, p.status, p.amount_cents, p.currency, p.started_at,
           extract(epoch FROM clock_timestamp() - p.started_at)::float8 AS age
      FROM payment p LEFT JOIN tokenization t ON t.id = p.tokenization_id
     WHERE p.id = ${paymentId}`,
  );
  if (!row) return null;
  return {
    id: row.id,
    linkId: row.payment_link_id,
    status: row.status,
    ageSeconds: row.age,
    gateway: await gatewayOf(row),
    sent: {
      gatewayKey: row.gateway_key,
      ref: row.gateway_ref,
      startedAt: row.started_at,
      cardRef: row.card_ref,
      amountCents: row.amount_cents,
      currency: row.currency,
    },
  };
}

async function findOpen(paymentId: string): Promise<KnownAttempt | null> {
  const attempt = await findAttempt(paymentId);
  return attempt && openStatuses.some((open) => open === attempt.status) ? attempt : null;
}

/**
 * Looks an open attempt up at the gateway and settles it. Safe to run concurrently. An attempt that the gateway does
 * not know is cancelled there after `lostAfterSeconds`, then settled.
 * @returns the gateway's result; null when it does not know the attempt yet, or the attempt is final
 * @throws when the gateway or the database is unreachable; the attempt is unchanged
 */
export async function reconcilePayment(paymentId: string): Promise<ChargeResult | null> {
  const attempt = await findOpen(paymentId);
  if (!attempt) return null;
  const { gateway, sent } = attempt;
  const known = await withDeadline(gateway.lookup(sent), lookupDeadlineMs);
  if (known.outcome === "absent" && attempt.ageSeconds < lostAfterSeconds) return null;
  const result = known.outcome === "absent" ? await withDeadline(gateway.cancel(sent), gatewayDeadlineMs) : known;
  await settle(attempt, result);
  return result;
}

/**
 * Looks a payment up and settles it if it is open here, as after a restore of the database.
 * @returns whether it has succeeded
 * @throws when the gateway or the database is unreachable
 */
export async function hasSucceeded(paymentId: string): Promise<boolean> {
  await reconcilePayment(paymentId);
  return (await db.payment.findUniqueOrThrow({ where: { id: paymentId } })).status === "succeeded";
}

/**
 * Cancels an attempt that waits for its payer at the bank or the gateway's page, first at the gateway, then here. If
 * the payer has paid after all, the attempt succeeds.
 */
export async function cancelAction(paymentId: string): Promise<ChargeResult | null> {
  const attempt = await findOpen(paymentId);
  return attempt?.status === "requires_action" ? cancelAndSettle(attempt) : null;
}

export async function abandonAttempt(paymentId: string): Promise<void> {
  const attempt = await findOpen(paymentId);
  if (attempt) await cancelAndSettle(attempt);
}

async function cancelAndSettle(attempt: KnownAttempt): Promise<ChargeResult> {
  const result = await withDeadline(attempt.gateway.cancel(attempt.sent), gatewayDeadlineMs);
  await settle(attempt, result);
  return result;
}
