import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { mayManage, type Role } from "@/lib/auth/scopes";
import { acting } from "@/lib/core/acting";
import { type Db, execute, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError } from "@/lib/core/errors";
import type { Member } from "./contract";
import { members } from "./resource";

/**
 * Gives a member another role and ends the person's sessions in the business.
 * @throws ApiError not_found, forbidden, last_owner
 */
export async function changeRole(tx: Db, actor: Actor, id: string, role: Role): Promise<Member> {
  const { business_id } = tenantOf(actor);
  return whileOwnersLocked(tx, business_id, async (tx) => {
    const member = await members.get(tx, actor, id);
    needAppointable(actor, member.role, role);
    if (member.role === role) return member;
    const changed = await execute(
      tx,
      Prisma.sql`
      UPDATE membership SET role = ${role}
       WHERE business_id = ${business_id} AND user_id = ${id} AND (${role} = 'owner' OR ${notTheLast(business_id, id)})`,
    );
    if (changed === 0) throw new ApiError("last_owner");
    await tx.session.deleteMany({ where: { business_id, user_id: id } });
    await withdrawInvitationsOf(tx, business_id, id);
    await audit(tx, business_id, {
      action: "team.role_changed",
      resource_id: id,
      about: member.email,
      before: { role: member.role },
      after: { role },
    });
    return { ...member, role, last_seen_at: null };
  });
}

/**
 * Takes a member out of the business; the sessions go with the membership.
 * @throws ApiError not_found, forbidden, last_owner
 */
export async function removeMember(tx: Db, actor: Actor, id: string): Promise<Member & { deleted: true }> {
  const { business_id } = tenantOf(actor);
  return endMembership(tx, business_id, id, ({ role }) => needAppointable(actor, role));
}

/** @param check throws where it may not be */
export function endMembership(
  tx: Db,
  businessId: number,
  id: string,
  check: (member: Member) => void = () => undefined,
): Promise<Member & { deleted: true }> {
  return whileOwnersLocked(tx, businessId, async (tx) => {
    const member = await members.get(tx, { businessId }, id);
    check(member);
    const removed = await execute(
      tx,
      Prisma.sql`
      DELETE FROM membership
       WHERE business_id = ${businessId} AND user_id = ${id} AND ${notTheLast(businessId, id)}`,
    );
    if (removed === 0) throw new ApiError("last_owner");
    await withdrawInvitationsOf(tx, businessId, id);
    const { name, email, role } = member;
    const action = acting().id === id ? "team.left" : "team.removed";
    await audit(tx, businessId, { action, resource_id: id, about: email, before: { name, email, role } });
    return { ...member, deleted: true };
  });
}

/** Nobody comes back, or brings others, by what they could decide before. */
async function withdrawInvitationsOf(tx: Db, businessId: number, userId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`
    UPDATE invitation SET revoked_at = now()
     WHERE business_id = ${businessId} AND invited_by = ${userId} AND accepted_at IS NULL AND revoked_at IS NULL`,
  );
}

/** That the membership is no owner's, or not the only one. */
const notTheLast = (businessId: number, id: string): Prisma.Sql => Prisma.sql`
  (role <> 'owner' OR EXISTS (
    SELECT FROM membership o WHERE o.business_id = ${businessId} AND o.user_id <> ${id} AND o.role = 'owner'))`;

/** Holds the owners' rows, so that of two owners who unmake each other one waits, and sees what the other did. */
function whileOwnersLocked<T>(tx: Db, businessId: number, work: (tx: Db) => Promise<T>): Promise<T> {
  return transaction(tx, async (tx) => {
    await queryRows(
      tx,
      Prisma.sql`
      SELECT FROM membership WHERE business_id = ${businessId} AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    );
    return work(tx);
  });
}

/** @throws ApiError forbidden where the caller's role has no say over one of these */
export function needAppointable({ session }: Actor, ...concerned: Role[]): void {
  if (!session || !concerned.every((role) => mayManage(session.role, role))) throw new ApiError("forbidden");
}
