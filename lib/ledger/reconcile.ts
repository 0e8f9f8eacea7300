import { db, Prisma, queryRows } from "@/lib/core/db";
import { gatewayOf } from "@/lib/gateways/for-business";
import type { ChargeResult, Gateway, SentAttempt } from "@/lib/gateways/gateway";
import { openStatuses, settle } from "./attempt";
import { gatewayDeadline, lookupDeadline, lostAfter, withDeadline } from "./deadline";

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
  created_at: Date;
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
 * An attempt with what its gateway has to be told to find it; null when there is none.
 * @throws Error when the gateway's account is gone or its keys cannot be read
 */
export async function findAttempt(paymentId: string): Promise<KnownAttempt | null> {
  const [row] = await queryRows<Row>(
    db,
    Prisma.sql`
    SELECT p.id, p.business_id, p.livemode, p.payment_link_id, p.gateway, p.gateway_account_id, p.gateway_key,
           p.gateway_ref, t.gateway_card AS card_ref, p.status, p.amount_cents, p.currency, p.created_at,
           extract(epoch FROM clock_timestamp() - p.created_at)::float8 AS age
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
      begunAt: row.created_at,
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
 * Asks the gateway what became of an attempt, and settles it. Any number may run at once. A key that the gateway has
 * never heard of is waited for, and after `lostAfter` seconds closed at the gateway, then in the ledger.
 * @returns what the gateway said; null when it does not know yet, or the attempt was final already.
 * @throws when the gateway or the database cannot be reached; the attempt is as it was.
 */
export async function reconcilePayment(paymentId: string): Promise<ChargeResult | null> {
  const attempt = await findOpen(paymentId);
  if (!attempt) return null;
  const { gateway, sent } = attempt;
  const known = await withDeadline(gateway.lookup(sent), lookupDeadline);
  if (known.outcome === "absent" && attempt.ageSeconds < lostAfter) return null;
  const result = known.outcome === "absent" ? await withDeadline(gateway.cancel(sent), gatewayDeadline) : known;
  await settle(attempt, result);
  return result;
}

/**
 * The payer gives up the bank's confirmation, or the gateway's page, to pay otherwise: the attempt ends at the gateway
 * first, then here. If the payer had paid after all, it succeeds.
 */
export async function cancelAction(paymentId: string): Promise<void> {
  const attempt = await findOpen(paymentId);
  if (attempt?.status === "requires_action") await end(attempt);
}

/** The same for an attempt that has been open for too long, whatever it waits for. */
export async function giveUp(paymentId: string): Promise<void> {
  const attempt = await findOpen(paymentId);
  if (attempt) await end(attempt);
}

async function end(attempt: KnownAttempt): Promise<void> {
  await settle(attempt, await withDeadline(attempt.gateway.cancel(attempt.sent), gatewayDeadline));
}
