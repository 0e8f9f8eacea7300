import { type Actor, tenantOf } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { assertMayManage } from "@/lib/auth/membership";
import { mayManage, type Role } from "@/lib/auth/scopes";
import { acting } from "@/lib/core/acting";
import { type Db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { ApiError, invalidSelection, notFound } from "@/lib/core/errors";
import { endKeysOf, usableKeysOf } from "@/lib/resources/api-keys/service";
import type { Member, MemberKeys } from "./contract";
import { withdrawAll } from "./invitations";
import { members } from "./resource";

/**
 * Gives a member another role and ends the person's sessions in the business.
 * @throws ApiError not_found, forbidden, last_owner
 */
export async function changeRole(tx: Db, actor: Actor, id: string, role: Role): Promise<Member> {
  const { business_id } = tenantOf(actor);
  return whileOwnersLocked(tx, business_id, async (tx, owners) => {
    const member = await members.get(tx, actor, id);
    await assertMayManage(tx, actor, member.role, role);
    if (member.role === role) return member;
    if (owners === 1 && member.role === "owner") throw new ApiError("last_owner");
    const { count } = await tx.membership.updateMany({ where: { business_id, user_id: id }, data: { role } });
    if (count === 0) throw notFound("Member");
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
 * Ends a member's sessions in the business. The person's other sessions cannot switch to it.
 * @throws ApiError not_found, forbidden
 */
export async function endMemberSessions(tx: Db, actor: Actor, id: string): Promise<{ _id: string; ended: number }> {
  const { business_id } = tenantOf(actor);
  return whileOwnersLocked(tx, business_id, async (tx) => {
    const { email, role } = await members.get(tx, actor, id);
    await assertMayManage(tx, actor, role);
    // Locks the membership before the sessions, as a sign-in does.
    await queryRows(
      tx,
      Prisma.sql`
      UPDATE membership SET sessions_ended_at = clock_timestamp()
       WHERE business_id = ${business_id} AND user_id = ${id} RETURNING user_id`,
    );
    const { count: ended } = await tx.session.deleteMany({ where: { user_id: id, business_id } });
    await audit(tx, business_id, { action: "team.sessions_ended", resource_id: id, about: email, after: { ended } });
    return { _id: id, ended };
  });
}

/** The API keys that a member made, for the choice of which end with the membership. @throws ApiError not_found, forbidden */
export async function keysOfMember(tx: Db, actor: Actor, id: string): Promise<MemberKeys> {
  const { business_id } = tenantOf(actor);
  const { role } = await members.get(tx, actor, id);
  if (!actor.session || !mayManage(actor.session.role, role)) throw new ApiError("forbidden");
  return { _id: id, api_keys: await usableKeysOf(tx, business_id, id) };
}

/**
 * Removes a member from the business, with their sessions and the API keys that they made.
 * @param keep the keys that the caller takes over instead
 * @throws ApiError not_found, forbidden, last_owner
 */
export async function removeMember(
  tx: Db,
  actor: Actor,
  id: string,
  keep: readonly string[],
): Promise<Member & { deleted: true }> {
  const { business_id } = tenantOf(actor);
  const check = async (tx: Db, { role }: Member) => {
    await assertMayManage(tx, actor, role);
    if (id === actor.who.id && keep.length > 0) throw invalidSelection("keep_keys");
  };
  return endMembership(tx, business_id, id, { check, keep, keeper: actor.who.id });
}

/**
 * @param options.check throws if the caller may not
 * @param options.keep the person's keys that the keeper takes over; the others are revoked
 * @throws ApiError not_found, last_owner
 */
export function endMembership(
  tx: Db,
  businessId: number,
  id: string,
  {
    check,
    keep = [],
    keeper = null,
  }: { check?: (tx: Db, member: Member) => Promise<void>; keep?: readonly string[]; keeper?: string | null } = {},
): Promise<Member & { deleted: true }> {
  return whileOwnersLocked(tx, businessId, async (tx, owners) => {
    const member = await members.get(tx, { businessId }, id);
    await check?.(tx, member);
    if (owners === 1 && member.role === "owner") throw new ApiError("last_owner");
    const { count } = await tx.membership.deleteMany({ where: { business_id: businessId, user_id: id } });
    if (count === 0) throw notFound("Member");
    await withdrawInvitationsOf(tx, businessId, id);
    await endKeysOf(tx, businessId, id, { keep, keeper });
    const { name, email, role } = member;
    const action = acting().id === id ? "team.left" : "team.removed";
    await audit(tx, businessId, { action, resource_id: id, about: email, before: { name, email, role } });
    return { ...member, deleted: true };
  });
}

/** Prevents a removed or demoted person from using invitations that they sent before. */
const withdrawInvitationsOf = (tx: Db, businessId: number, userId: string): Promise<void> =>
  withdrawAll(tx, Prisma.sql`business_id = ${businessId} AND invited_by = ${userId}`);

/** Locks the owners' rows, so that members who change each other do so one after the other. Counts them. */
function whileOwnersLocked<T>(tx: Db, businessId: number, work: (tx: Db, owners: number) => Promise<T>): Promise<T> {
  return transaction(tx, async (tx) => {
    const owners = await queryRows(
      tx,
      Prisma.sql`
      SELECT user_id FROM membership WHERE business_id = ${businessId} AND role = 'owner' ORDER BY user_id FOR UPDATE`,
    );
    return work(tx, owners.length);
  });
}
