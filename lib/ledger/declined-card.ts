import type { Tenant } from "@/lib/auth/actor";
import { type Db, Prisma } from "@/lib/core/db";
import { record } from "@/lib/outbox/record";
import type { PaymentOfLink } from "@/lib/resources/payments/contract";
import { eventTokenization, tokenizations } from "@/lib/resources/tokenizations/resource";

/** Marks a saved card that the bank declined for good, so that it is never charged again. The payer can save the card again. */
export async function declineCard(
  tx: Db,
  tenant: Tenant,
  { tokenization_id, reason }: PaymentOfLink,
  now: Date,
): Promise<void> {
  if (tokenization_id === null) return;
  const set = Prisma.sql`declined_at = ${now}, decline_reason = ${reason}`;
  const open = Prisma.sql`status = 'active' AND declined_at IS NULL`;
  const declined = await tokenizations.update(tx, tenant, tokenization_id, set, open);
  if (declined) await record(tx, tenant, [{ type: "tokenization.declined", data: eventTokenization(declined) }]);
}
