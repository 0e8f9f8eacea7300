import type { Actor } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { acting } from "@/lib/core/acting";
import { type Db, isForeignKeyViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, notFound } from "@/lib/core/errors";
import type { Page } from "@/lib/http/handle";
import { assertRegistrationOpen, countRegistration, insertBusiness } from "@/lib/resources/registrations/service";
import { endMembership } from "@/lib/resources/team/members";
import type { BusinessInput, OwnBusiness, PlainListQuery, Session } from "./contract";
import { ownBusinesses, presentSession, sessions } from "./resource";
import { personOf } from "./service";

const isLive = (): Prisma.Sql => Prisma.sql`
  expires_at > now() AND last_seen_at > now() - make_interval(mins => ${env().SESSION_IDLE_MINUTES}::int)`;

export async function listSessions(tx: Db, actor: Actor, query: PlainListQuery): Promise<Page<Session>> {
  const person = personOf(actor);
  const { rows, page } = await sessions.list(tx, person, query, [isLive()]);
  return { rows: rows.map((row) => presentSession(row, person.sessionId)), page };
}

/** @throws ApiError not_found */
export async function removeSession(tx: Db, actor: Actor, id: string): Promise<Session & { deleted: true }> {
  const person = personOf(actor);
  sessions.checkId(id);
  return transaction(tx, async (tx) => {
    const rows = await queryRows<Parameters<typeof presentSession>[0]>(
      tx,
      Prisma.sql`DELETE FROM session WHERE id = ${id} AND ${sessions.ownedBy(person)} RETURNING ${sessions.columns()}`,
    );
    const ended = presentSession(sessions.orNotFound(rows[0]), person.sessionId);
    const { address, browser, device, business_id } = ended;
    await audit(tx, business_id, { action: "session.ended", resource_id: id, before: { address, browser, device } });
    return { ...ended, deleted: true };
  });
}

export async function removeOtherSessions(tx: Db, actor: Actor): Promise<{ _id: string; ended: number }> {
  const { userId, sessionId } = personOf(actor);
  return transaction(tx, async (tx) => {
    const others = await queryRows<{ id: string; business_id: number }>(
      tx,
      Prisma.sql`DELETE FROM session WHERE user_id = ${userId} AND id <> ${sessionId} RETURNING id, business_id`,
    );
    for (const { id, business_id } of others)
      await audit(tx, business_id, { action: "session.ended", resource_id: id });
    return { _id: "sessions", ended: others.length };
  });
}

export async function listBusinesses(tx: Db, actor: Actor, query: PlainListQuery): Promise<Page<OwnBusiness>> {
  const { rows, page } = await ownBusinesses.list(tx, personOf(actor), query);
  return { rows: rows.map((row) => ({ ...row, current: row._id === String(actor.businessId) })), page };
}

async function ownBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness> {
  const business = await ownBusinesses.get(tx, personOf(actor), id);
  return { ...business, current: id === String(actor.businessId) };
}

/** Switches the session to another of the person's businesses. @throws ApiError not_found */
export async function enterBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness> {
  const business = await ownBusiness(tx, actor, id);
  try {
    await transaction(tx, (tx) => switchSession(tx, actor, Number(business._id)));
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound("Business"); // no longer a member
    throw error;
  }
  return { ...business, current: true };
}

/**
 * Locks the person before the session, as a change of password does, so that the two can not deadlock.
 * @throws ApiError unauthenticated
 */
async function switchSession(tx: Db, actor: Actor, business_id: number): Promise<void> {
  const { userId, sessionId } = personOf(actor);
  await tx.user.update({ where: { id: userId }, data: { last_business_id: business_id } });
  const switched = await queryRows(
    tx,
    Prisma.sql`
    WITH member AS (
      SELECT sessions_ended_at FROM membership WHERE business_id = ${business_id} AND user_id = ${userId} FOR SHARE)
    UPDATE session SET business_id = ${business_id}
     WHERE id = ${sessionId} AND user_id = ${userId}
       AND NOT EXISTS (SELECT FROM member WHERE sessions_ended_at >= session.created_at)
    RETURNING id`,
  );
  if (switched.length === 0) throw new ApiError("unauthenticated"); // ended, a moment ago or by an admin of that business
  if (business_id !== actor.businessId)
    await audit(tx, business_id, { action: "session.entered", resource_id: sessionId });
}

/**
 * Creates a business with the caller as its owner, and switches the session to it.
 * @throws ApiError registration_closed, too_many_attempts; ValidationError
 */
export async function createBusiness(tx: Db, actor: Actor, input: BusinessInput): Promise<OwnBusiness> {
  const { userId } = personOf(actor);
  assertRegistrationOpen();
  await countRegistration(acting().address ?? "unknown");
  return transaction(tx, async (tx) => {
    const { id } = await insertBusiness(tx, input, userId);
    await switchSession(tx, actor, id);
    return { ...(await ownBusiness(tx, actor, String(id))), current: true };
  });
}

/** @throws ApiError not_found, last_owner */
export async function leaveBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness & { deleted: true }> {
  const business = await ownBusiness(tx, actor, id);
  await endMembership(tx, Number(business._id), personOf(actor).userId);
  return { ...business, deleted: true };
}
