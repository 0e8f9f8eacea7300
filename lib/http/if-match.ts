import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { iso } from "./list";

interface Read {
  table: "payment_link" | "package" | "subscription" | "webhook_endpoint";
  id: string;
  /** The `updated_at` that the caller read, to the microsecond (If-Match); null: any. */
  readAt: string | null;
}

/**
 * Runs `change` unless the row has changed since the caller read it. The row is locked before the comparison, so that of two
 * callers who read the same state only one changes it.
 * @throws ApiError precondition_failed, and the errors of `change`
 */
export function ifUnchanged<T>(tx: Db, actor: Actor, read: Read, change: (tx: Db) => Promise<T>): Promise<T> {
  const { table, id, readAt } = read;
  if (readAt === null) return change(tx);
  const { business_id, livemode } = tenantOf(actor);
  return transaction(tx, async (tx) => {
    const [row] = await queryRows<{ updated_at: string }>(
      tx,
      Prisma.sql`
      SELECT ${iso("updated_at")} AS updated_at FROM ${Prisma.raw(table)}
       WHERE id = ${id} AND business_id = ${business_id} AND livemode = ${livemode} AND deleted_at IS NULL FOR UPDATE`,
    );
    if (row && row.updated_at !== readAt) throw new ApiError("precondition_failed");
    return change(tx);
  });
}
