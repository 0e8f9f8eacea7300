import { type Db, Prisma, queryRows } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import { type Actor, tenantOf } from "./actor";
import { mayCall, mayManage, type Role, type Scope } from "./scopes";

/**
 * Locks a person until the transaction ends. A reset of their password waits, and then drops what the transaction has created.
 * Comes before the locks of memberships and sessions.
 * @param userId the caller, or the maker of the key that calls
 * @throws ApiError unauthenticated if the caller's session or key has ended since the request began
 */
export async function lockPerson(tx: Db, actor: Actor, userId: string): Promise<void> {
  await queryRows(tx, Prisma.sql`SELECT id FROM staff_user WHERE id = ${userId} FOR NO KEY UPDATE`);
  await assertStillActive(tx, actor);
}

/**
 * For a request that may have waited for a lock. It locks nothing itself: with a lock, many requests with a stolen key could
 * hold up its revocation.
 * @throws ApiError unauthenticated if the caller's session or key has ended since the request began
 */
export async function assertStillActive(tx: Db, { who, session }: Actor): Promise<void> {
  const stillActive = session
    ? Prisma.sql`SELECT id FROM session WHERE id = ${session.id}`
    : // Not now(), which is when the transaction began.
      Prisma.sql`
      SELECT id FROM api_key
       WHERE id = ${who.id} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`;
  if ((await queryRows(tx, stillActive)).length === 0) throw new ApiError("unauthenticated");
}

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

/**
 * Locks the caller's membership. Its role is read under the lock, because it may be another one than when the request began.
 * @throws ApiError forbidden if the caller's role may not manage one of these roles
 */
export async function assertMayManage(tx: Db, actor: Actor, ...roles: Role[]): Promise<void> {
  const own = await lockMembership(tx, tenantOf(actor).business_id, actor.who.id);
  if (!roles.every((role) => mayManage(own, role))) throw new ApiError("forbidden");
}

/**
 * Asserts that the caller, or the maker of the key that calls, still has the scope, for a request that waits before it writes, such as for a gateway. Locks a person's
 * membership until the transaction ends, so that a removal or another role waits. Comes before the locks of the rows to write.
 * @throws ApiError forbidden, unauthenticated
 */
export async function assertStillHasScope(tx: Db, actor: Actor, scope: Scope): Promise<void> {
  const { session, who } = actor;
  const [key] = session
    ? []
    : await queryRows<{ maker: string | null }>(
        tx,
        Prisma.sql`SELECT created_by AS maker FROM api_key WHERE id = ${who.id}`,
      );
  const person = session ? who.id : key?.maker;
  if (person) {
    const role = await lockMembership(tx, tenantOf(actor).business_id, person);
    if (!mayCall(role, { scope })) throw new ApiError("forbidden");
  }
  await assertStillActive(tx, actor);
}
