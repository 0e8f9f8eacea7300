import { db } from "@/lib/core/db";
import { lookupDeadlineMs, withDeadline } from "./deadline";
import { gatewayOf } from "./gateways";

/**
 * Detaches the card of a revoked tokenization at its gateway. Idempotent.
 * @throws Error when the gateway did not detach the card: the job retries
 */
export async function detachRevoked(id: string): Promise<void> {
  const row = await db.tokenization.findUnique({ where: { id, status: "revoked" } });
  if (!row || row.gateway === null || row.gateway_card === null) return;
  const gateway = await gatewayOf({ ...row, gateway: row.gateway });
  await withDeadline(gateway.detachCard(row.gateway_card), lookupDeadlineMs);
}
