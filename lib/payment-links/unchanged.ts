import { ApiError } from "@/lib/api/errors";
import { iso } from "@/lib/api/list";
import { type Actor, owner } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, transaction } from "@/lib/db";
import type { PaymentLink, PaymentLinkInput } from "./contract";
import { updatePaymentLink } from "./service";

/**
 * Replaces the writable fields, unless somebody else has changed the link since the caller read it. The row is locked
 * before it is compared, so that of two who read the same state only one changes it.
 * @param readAt the link's `updated_at` as the caller read it, to the microsecond; null: whatever it is by now
 * @throws ApiError precondition_failed, and whatever updatePaymentLink does
 */
export async function updateIfUnchanged(
  tx: Db,
  actor: Actor,
  id: string,
  input: PaymentLinkInput,
  readAt: string | null,
): Promise<PaymentLink> {
  if (readAt === null) return updatePaymentLink(tx, actor, id, input);
  const { business_id, livemode } = owner(actor);
  return transaction(tx, async (tx) => {
    const [row] = await queryRows<{ updated_at: string }>(
      tx,
      Prisma.sql`
      SELECT ${iso("updated_at")} AS updated_at FROM payment_link
       WHERE id = ${id} AND business_id = ${business_id} AND livemode = ${livemode} AND deleted_at IS NULL FOR UPDATE`,
    );
    if (row && row.updated_at !== readAt) throw new ApiError("precondition_failed");
    return updatePaymentLink(tx, actor, id, input);
  });
}
