import { type Actor, tenantOf } from "@/lib/auth/actor";
import { type AuditEntry, audit } from "@/lib/auth/audit";
import type { AuditAction } from "@/lib/auth/audit-actions";
import { allLimits, takeAllOrThrow } from "@/lib/auth/limits";
import { assertMayManage, lockPerson } from "@/lib/auth/membership";
import { hashToken, isToken, newToken } from "@/lib/auth/token";
import { acting } from "@/lib/core/acting";
import { type Db, isUniqueViolation, lockUntilCommit, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { newId, timeOfId } from "@/lib/core/id";
import { queueStaffMail } from "@/lib/outbox/mail/enqueue";
import type { Invitation, InvitationInput } from "./contract";
import { invitations } from "./resource";

// Invitations expire by the system's clock, also in test mode.

const open = Prisma.sql`accepted_at IS NULL AND revoked_at IS NULL`;

const week = Prisma.sql`now() + interval '7 days'`;

/**
 * Invites an address to the business. Only the mail has the link: it proves that the mailbox belongs to the person who accepts.
 * @throws ApiError forbidden, already_member, already_invited, too_many_attempts
 */
export async function invite(tx: Db, actor: Actor, input: InvitationInput): Promise<Invitation> {
  const { business_id } = tenantOf(actor);
  const email = input.email.toLowerCase();
  const { token, hash } = newToken();
  try {
    return await transaction(tx, async (tx) => {
      await lockPerson(tx, actor, actor.who.id);
      await assertMayManage(tx, actor, input.role);
      const member = await tx.membership.findFirst({ where: { business_id, user: { email } }, select: { role: true } });
      if (member) throw new ApiError("already_member");
      await withdrawAll(tx, Prisma.sql`business_id = ${business_id} AND email = ${email} AND expires_at <= now()`);
      const fields = { email, role: input.role, token_hash: hash, invited_by: actor.who.id, expires_at: week };
      const row = await invitations.insert(tx, { id: newId("inv"), business_id, ...fields });
      await send(tx, actor, row, token);
      await auditInvitation(tx, row, "team.invited", { after: { email, role: input.role } });
      return row;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ApiError("already_invited");
    throw error;
  }
}

/** Sends an invitation again with a new link. @throws ApiError not_found, forbidden, invitation_not_open, too_many_attempts */
export async function resend(tx: Db, actor: Actor, id: string): Promise<Invitation> {
  const { role } = await invitations.get(tx, actor, id);
  return transaction(tx, async (tx) => {
    await lockPerson(tx, actor, actor.who.id);
    await assertMayManage(tx, actor, role);
    const { row, token } = await renew(tx, actor, id);
    await send(tx, actor, row, token);
    return row;
  });
}

/** Gives a pending invitation a new token, for another week. @throws ApiError invitation_not_open */
async function renew(
  tx: Db,
  business: { businessId: number },
  id: string,
): Promise<{ row: Invitation; token: string }> {
  const { token, hash } = newToken();
  const renewed = Prisma.sql`token_hash = ${hash}, expires_at = ${week}`;
  const row = await invitations.update(tx, business, id, renewed, open);
  if (!row) throw new ApiError("invitation_not_open");
  await auditInvitation(tx, row, "team.invitation_resent", { after: { expires_at: row.expires_at } });
  return { row, token };
}

/**
 * Renews an address's pending invitations, for the operator of an installation without a mail server, who hands the links over
 * (scripts/invitation-link.ts).
 */
export function renewLinks(tx: Db, email: string): Promise<{ businessName: string; role: string; url: string }[]> {
  return transaction(tx, async (tx) => {
    const where = { email, accepted_at: null, revoked_at: null };
    const pending = await tx.invitation.findMany({ where, include: { business: { select: { name: true } } } });
    const links = [];
    for (const { id, business_id: businessId, business, role } of pending) {
      const { token } = await renew(tx, { businessId }, id);
      links.push({ businessName: business.name, role, url: urlOf(token) });
    }
    return links;
  });
}

const urlOf = (token: string): string => `${env().APP_URL}/invitation/${token}`;

/** Withdraws an invitation: its link no longer works. @throws ApiError not_found, invitation_not_open */
export async function withdraw(tx: Db, actor: Actor, id: string): Promise<Invitation> {
  const { role } = await invitations.get(tx, actor, id);
  return transaction(tx, async (tx) => {
    await assertMayManage(tx, actor, role);
    const row = await invitations.update(tx, actor, id, Prisma.sql`revoked_at = now()`, open);
    if (row) {
      await auditWithdrawal(tx, row);
      return row;
    }
    const current = await invitations.get(tx, actor, id);
    if (current.status !== "withdrawn") throw new ApiError("invitation_not_open");
    return current;
  });
}

/**
 * Withdraws invitations that nobody has accepted. The audit log gets no entry about one that had expired.
 * @param which a condition on invitations
 */
export async function withdrawAll(tx: Db, which: Prisma.Sql): Promise<void> {
  const rows = await queryRows<Invitation>(
    tx,
    Prisma.sql`UPDATE invitation SET revoked_at = now() WHERE ${which} AND ${open} RETURNING ${invitations.columns()}`,
  );
  for (const row of rows) if (Date.parse(row.expires_at) > Date.now()) await auditWithdrawal(tx, row);
}

const auditWithdrawal = (tx: Db, row: Invitation): Promise<void> =>
  auditInvitation(tx, row, "team.invitation_withdrawn", { before: { email: row.email, role: row.role } });

function auditInvitation(
  tx: Db,
  { _id, business_id, email }: Invitation,
  action: AuditAction,
  what: Pick<AuditEntry, "before" | "after">,
): Promise<void> {
  return audit(tx, business_id, { action, resource_id: _id, about: email, ...what });
}

/** Limit of invitations per address, over all businesses. */
const mailLimit = { max: 10, seconds: 24 * 3_600 } as const;

/** Counts the queued mails under a lock of the address. @throws ApiError too_many_attempts */
async function assertMailLimit(tx: Db, to: string): Promise<void> {
  await lockUntilCommit(tx, `invitation ${to}`);
  const [oldest] = await queryRows<{ id: string }>(
    tx,
    Prisma.sql`
    SELECT id FROM email
     WHERE template = 'invitation' AND "to" = ${to}
     ORDER BY id DESC OFFSET ${mailLimit.max - 1}::int LIMIT 1`,
  );
  // Their created_at may be of a test clock.
  const wait = oldest ? mailLimit.seconds - Math.floor((Date.now() - timeOfId(oldest.id).getTime()) / 1_000) : 0;
  if (wait > 0) throw new ApiError("too_many_attempts", undefined, { "Retry-After": String(wait) });
}

/** @throws ApiError too_many_attempts */
async function send(tx: Db, actor: Actor, row: Invitation, token: string): Promise<void> {
  await assertMailLimit(tx, row.email);
  await takeAllOrThrow([{ from: allLimits().invitations, key: String(row.business_id) }]);
  const { businessId, livemode, who } = actor;
  const [business, inviter] = await Promise.all([
    tx.business.findUniqueOrThrow({ where: { id: businessId }, select: { name: true } }),
    tx.user.findUnique({ where: { id: who.id }, select: { name: true } }),
  ]);
  const { email: to, role, expires_at } = row;
  const props = { inviter_name: inviter?.name ?? business.name, role, link: urlOf(token), expires_at };
  await queueStaffMail(tx, { template: "invitation", to, businessId, livemode, props });
}

export interface OpenInvitation {
  id: string;
  businessId: number;
  businessName: string;
  email: string;
  role: string;
}

export async function invitationOf(tx: Db, token: string): Promise<OpenInvitation | null> {
  if (!isToken(token)) return null;
  const [row] = await queryRows<OpenInvitation>(
    tx,
    Prisma.sql`
    SELECT i.id, i.business_id AS "businessId", b.name AS "businessName", i.email, i.role
      FROM invitation i JOIN business b ON b.id = i.business_id
     WHERE i.token_hash = ${hashToken(token)} AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()`,
  );
  return row ?? null;
}

/** Makes the person a member, once. The invitation's token proves their mailbox. @throws ApiError invitation_not_open */
export async function joinBusiness(tx: Db, invitation: OpenInvitation, userId: string): Promise<void> {
  const { id, businessId: business_id, email, role } = invitation;
  const now = new Date();
  const { count } = await tx.invitation.updateMany({
    where: { id, accepted_at: null, revoked_at: null, expires_at: { gt: now } },
    data: { accepted_at: now },
  });
  if (count === 0) throw new ApiError("invitation_not_open");
  await tx.membership.createMany({ data: { business_id, user_id: userId, role }, skipDuplicates: true });
  await tx.user.update({ where: { id: userId }, data: { last_business_id: business_id } });
  await tx.user.updateMany({ where: { id: userId, email_verified_at: null }, data: { email_verified_at: now } });
  await audit(tx, business_id, {
    action: "team.joined",
    resource_id: userId,
    about: email,
    after: { email, role },
    who: { ...acting(), type: "user", id: userId },
  });
}
