import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import type { Role } from "./scopes";

/**
 * Locks a person's membership until the transaction ends. A removal or another role waits, and then finds and withdraws what the
 * transaction has created.
 * @returns the person's role
 * @throws ApiError forbidden if the person is no member any more
 */
export async function lockMembership(tx: Db, businessId: number, userId: string): Promise<Role> {
  const [member] = await queryRows<{ role: Role }>(
    tx,
    Prisma.sql`SELECT role FROM membership WHERE business_id = ${businessId} AND user_id = ${userId} FOR SHARE`,
  );
  if (!member) throw new ApiError("forbidden");
  return member.role;
}
