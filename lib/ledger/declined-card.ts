import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import type { NewEvent } from "@/lib/outbox/record";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { eventTokenization, tokenizations } from "@/lib/resources/tokenizations/resource";

/**
 * Marks a saved card that the bank declined for good, so that it is never charged again. The payer can save the card again.
 * @returns the event for the caller to record; none if it was marked before
 */
export async function declineCard(
  tx: Db,
  tenant: Tenant,
  { tokenization_id, reason }: PaymentOfLink,
  now: Date,
): Promise<NewEvent[]> {
  if (tokenization_id === null) return [];
  const set = Prisma.sql`declined_at = ${now}, decline_reason = ${reason}`;
  const open = Prisma.sql`status = 'active' AND declined_at IS NULL`;
  const declined = await tokenizations.update(tx, tenant, tokenization_id, set, open);
  return declined ? [{ type: "tokenization.declined", data: eventTokenization(declined) }] : [];
}
