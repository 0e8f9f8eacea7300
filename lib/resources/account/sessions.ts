import Bowser from "bowser";
import type { Actor } from "@/lib/auth/actor";
import { audit } from "@/lib/auth/audit";
import { acting } from "@/lib/core/acting";
import { type Db, isForeignKeyViolation, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env } from "@/lib/core/env";
import { ApiError, notFound } from "@/lib/core/errors";
import { isId } from "@/lib/core/id";
import type { Page } from "@/lib/http/handle";
import { iso, listRows } from "@/lib/http/list";
import { countRegistration, makeBusiness, needOpen } from "@/lib/resources/registrations/service";
import { endMembership } from "@/lib/resources/team/members";
import type { BusinessInput, OwnBusiness, PlainListQuery, Session } from "./contract";
import { personOf } from "./service";

interface SessionRow extends Omit<Session, "_id" | "browser" | "device" | "current"> {
  id: string;
  user_agent: string | null;
}

const columns = Prisma.sql`
  id, user_agent, address, business_id, ${iso("last_seen_at")} AS last_seen_at, ${iso("expires_at")} AS expires_at,
  ${iso("created_at")} AS created_at`;

function present({ id, user_agent, address, business_id, ...times }: SessionRow, current: string): Session {
  const { browser, os } = Bowser.parse(user_agent || " ");
  const name = [browser.name, browser.version?.split(".")[0]].filter(Boolean).join(" ");
  return {
    _id: id,
    browser: name || null,
    device: os.name ?? null,
    address,
    business_id,
    current: id === current,
    ...times,
  };
}

const living = (): Prisma.Sql => Prisma.sql`
  expires_at > now() AND last_seen_at > now() - make_interval(mins => ${env().SESSION_IDLE_MINUTES}::int)`;

/** Where the caller is signed in, in all businesses; newest first unless asked otherwise. */
export async function listSessions(tx: Db, actor: Actor, query: PlainListQuery): Promise<Page<Session>> {
  const { userId, sessionId } = personOf(actor);
  const where = [Prisma.sql`user_id = ${userId}`, living()];
  const { rows, page } = await listRows<SessionRow>(tx, { table: "session", columns, where, query });
  return { rows: rows.map((row) => present(row, sessionId)), page };
}

/** @throws ApiError not_found */
export async function removeSession(tx: Db, actor: Actor, id: string): Promise<Session & { deleted: true }> {
  const { userId, sessionId } = personOf(actor);
  if (!isId("ses", id)) throw notFound("Session");
  return transaction(tx, async (tx) => {
    const [row] = await queryRows<SessionRow>(
      tx,
      Prisma.sql`DELETE FROM session WHERE id = ${id} AND user_id = ${userId} RETURNING ${columns}`,
    );
    if (!row) throw notFound("Session");
    const { address, browser, device, business_id } = present(row, sessionId);
    await audit(tx, business_id, { action: "session.ended", resource_id: id, before: { address, browser, device } });
    return { ...present(row, sessionId), deleted: true };
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

interface BusinessRow extends Omit<OwnBusiness, "_id" | "current"> {
  id: string;
}

// person_business is a view of memberships with their businesses.
const businessColumns = Prisma.sql`
  id, name, role, ${iso("created_at")} AS created_at,
  role = 'owner' AND NOT EXISTS (
    SELECT FROM membership o
     WHERE o.business_id = person_business.id::int AND o.user_id <> person_business.user_id AND o.role = 'owner'
  ) AS only_owner`;

const presentBusiness = ({ id, ...row }: BusinessRow, current: number): OwnBusiness => ({
  _id: id,
  ...row,
  current: id === String(current),
});

/** Where the caller is a member; newest first unless asked otherwise. */
export async function listBusinesses(tx: Db, actor: Actor, query: PlainListQuery): Promise<Page<OwnBusiness>> {
  const where = [Prisma.sql`user_id = ${personOf(actor).userId}`];
  const { rows, page } = await listRows<BusinessRow>(tx, {
    table: "person_business",
    columns: businessColumns,
    where,
    query,
  });
  return { rows: rows.map((row) => presentBusiness(row, actor.businessId)), page };
}

async function ownBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness> {
  const [row] = await queryRows<BusinessRow>(
    tx,
    Prisma.sql`
    SELECT ${businessColumns} FROM person_business WHERE id = ${id} AND user_id = ${personOf(actor).userId}`,
  );
  if (!row) throw notFound("Business");
  return presentBusiness(row, actor.businessId);
}

/** Takes the session to another business of the person's. @throws ApiError not_found */
export async function enterBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness> {
  const business = await ownBusiness(tx, actor, id);
  try {
    await transaction(tx, (tx) => goTo(tx, actor, Number(business._id)));
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound("Business"); // no member any more
    throw error;
  }
  return { ...business, current: true };
}

/**
 * The person before the session, in the order of whoever sets a password: otherwise two could wait for each other.
 * @throws ApiError unauthenticated
 */
async function goTo(tx: Db, actor: Actor, business_id: number): Promise<void> {
  const { userId, sessionId } = personOf(actor);
  await tx.user.update({ where: { id: userId }, data: { last_business_id: business_id } });
  const { count } = await tx.session.updateMany({ where: { id: sessionId, user_id: userId }, data: { business_id } });
  if (count === 0) throw new ApiError("unauthenticated"); // ended a moment ago
  if (business_id !== actor.businessId)
    await audit(tx, business_id, { action: "session.entered", resource_id: sessionId });
}

/**
 * Makes a business that is the caller's, and takes the session there.
 * @throws ApiError registration_closed, too_many_attempts
 */
export async function createBusiness(tx: Db, actor: Actor, input: BusinessInput): Promise<OwnBusiness> {
  const { userId } = personOf(actor);
  needOpen();
  await countRegistration(acting().address ?? "unknown");
  return transaction(tx, async (tx) => {
    const id = await makeBusiness(tx, input, userId);
    await goTo(tx, actor, id);
    return { ...(await ownBusiness(tx, actor, String(id))), current: true };
  });
}

/** @throws ApiError not_found, last_owner */
export async function leaveBusiness(tx: Db, actor: Actor, id: string): Promise<OwnBusiness & { deleted: true }> {
  const business = await ownBusiness(tx, actor, id);
  await endMembership(tx, Number(business._id), personOf(actor).userId);
  return { ...business, deleted: true };
}
