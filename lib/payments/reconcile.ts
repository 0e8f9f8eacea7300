import { db } from "../db";
import { gatewayNamed } from "../gateways/for-mode";
import type { ChargeResult, Gateway } from "../gateways/gateway";
import { type Attempt, openStatuses, settle } from "./attempt";
import { gatewayDeadline, lostAfter, withDeadline } from "./deadline";

type OpenAttempt = Attempt & { status: string; ageSeconds: number; gateway: Gateway };

async function findOpen(paymentId: string): Promise<OpenAttempt | null> {
  const rows = await db.$queryRaw<
    { link_id: string; gateway: string; gateway_key: string; status: string; age: number }[]
  >`
    SELECT payment_link_id AS link_id, gateway, gateway_key, status,
           extract(epoch FROM clock_timestamp() - created_at)::float8 AS age
      FROM payment WHERE id = ${paymentId}`;
  const row = rows[0];
  if (!row || !openStatuses.some((open) => open === row.status)) return null;
  return {
    id: paymentId,
    linkId: row.link_id,
    gatewayKey: row.gateway_key,
    status: row.status,
    ageSeconds: row.age,
    gateway: gatewayNamed(row.gateway),
  };
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
  const { gateway, gatewayKey } = attempt;
  const known = await withDeadline(gateway.lookup(gatewayKey), gatewayDeadline);
  if (known.outcome === "absent" && attempt.ageSeconds < lostAfter) return null;
  const result = known.outcome === "absent" ? await withDeadline(gateway.cancel(gatewayKey), gatewayDeadline) : known;
  await settle(attempt, result);
  return result;
}

/**
 * The payer gives up the bank's confirmation to use another card: the attempt ends at the gateway first, then here. If
 * the payer had confirmed after all, it succeeds.
 */
export async function cancelChallenge(paymentId: string): Promise<void> {
  const attempt = await findOpen(paymentId);
  if (attempt?.status !== "requires_action") return;
  await settle(attempt, await withDeadline(attempt.gateway.cancel(attempt.gatewayKey), gatewayDeadline));
}
