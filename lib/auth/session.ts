import { decode } from "next-auth/jwt";
import { acting } from "@/lib/core/acting";
import { db, Prisma, queryRows, transaction } from "@/lib/core/db";
import { env, required } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import type { Incoming } from "@/lib/core/incoming";
import type { Client } from "@/lib/core/network";
import type { Actor } from "./actor";
import { audit } from "./audit";
import { type Role, roleScopes } from "./scopes";

/** The session cookie's name. Its value is an encrypted token that carries only a session id. */
export const sessionCookie = (): string =>
  env().APP_URL.startsWith("https:") ? "__Host-paydesk-session" : "paydesk-session";

export const sessionHours = 12;

/** The dashboard's mode; test without it. */
export const modeHeader = "x-paydesk-mode";

/** The business that a page shows: after a switch in another tab, the page's writes must not reach the other business. */
const businessHeader = "x-paydesk-business";
const personHeader = "x-paydesk-person";
/** Marks background polling of an idle page, which does not count as activity. */
const unattendedHeader = "x-paydesk-unattended";

/**
 * Starts a session for a member of a business.
 * @param passwordHash the hash of the password that was checked
 * @returns the session's id; null when the password has changed since the check
 */
export async function startSession(
  userId: string,
  businessId: number,
  passwordHash: string,
  client?: Client,
): Promise<string | null> {
  const expires_at = new Date(Date.now() + sessionHours * 3_600_000);
  const id = newId("ses");
  const from = { address: client?.address ?? null, user_agent: client?.agent?.slice(0, 500) ?? null };
  const who = { ...acting(), type: "user", id: userId, address: from.address } as const;
  return transaction(db, async (tx) => {
    // A password change updates this row, then deletes all sessions. FOR SHARE orders the two: either the change deletes
    // this session too, or this session does not start.
    const [same] = await queryRows(
      tx,
      Prisma.sql`SELECT id FROM staff_user WHERE id = ${userId} AND password_hash = ${passwordHash} FOR SHARE`,
    );
    if (!same) return null;
    await tx.session.create({ data: { id, user_id: userId, business_id: businessId, expires_at, ...from } });
    await audit(tx, businessId, { action: "session.signed_in", resource_id: id, who });
    return id;
  });
}

/** Ends a session at once: the next request with it is unauthenticated. */
export async function endSession(id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const session = await tx.session.findUnique({ where: { id }, select: { user_id: true, business_id: true } });
    const { count } = await tx.session.deleteMany({ where: { id } });
    if (!session || count === 0) return;
    const who = { ...acting(), type: "user", id: session.user_id } as const;
    await audit(tx, session.business_id, { action: "session.signed_out", resource_id: id, who });
  });
}

export interface SignedIn {
  sessionId: string;
  userId: string;
  userName: string;
  userEmail: string;
  businessId: number;
  businessName: string;
  /** Milliseconds that the business's test clock is ahead. */
  testClockAhead: number;
  role: Role;
}

/**
 * An active session: not ended, at most 12 h old, not idle for SESSION_IDLE_MINUTES, and with a membership.
 * @param attended whether the request counts as activity (background polling does not)
 */
export async function findSession(id: string, attended = true): Promise<SignedIn | null> {
  const session = await db.session.findUnique({
    where: { id },
    include: { business: true, membership: { include: { user: true } } },
  });
  if (!session) return null;
  const now = Date.now();
  const idleSince = session.last_seen_at.getTime();
  if (session.expires_at.getTime() <= now || now - idleSince > env().SESSION_IDLE_MINUTES * 60_000) return null;
  // Written at most once a minute, or more often for a short idle time, so that a skipped write never ends a session early.
  if (attended && now - idleSince > Math.min(60_000, env().SESSION_IDLE_MINUTES * 6_000))
    await db.session.updateMany({ where: { id }, data: { last_seen_at: new Date(now) } });
  const { user, role } = session.membership;
  if (!isRole(role)) return null;
  return {
    sessionId: id,
    userId: user.id,
    userName: user.name,
    userEmail: user.email,
    businessId: session.business_id,
    businessName: session.business.name,
    testClockAhead: Number(session.business.test_clock_ahead),
    role,
  };
}

function isRole(role: string): role is Role {
  return Object.hasOwn(roleScopes, role);
}

export async function sessionIdOf(request: Incoming): Promise<string | null> {
  const name = sessionCookie();
  const cookies = request.headers.get("cookie")?.split(/;\s*/) ?? [];
  const token = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  if (!token) return null;
  const payload = await decode({ token, secret: required("APP_SECRET") }).catch(() => null);
  return typeof payload?.sid === "string" ? payload.sid : null;
}

/**
 * The actor of a session cookie, or null.
 * @throws ApiError forbidden for a write that another site made the browser send
 */
export async function actorOfSession(request: Incoming): Promise<Actor | null> {
  const id = await sessionIdOf(request);
  const session = id ? await findSession(id, request.headers.get(unattendedHeader) === null) : null;
  if (!session) return null;
  if (request.method !== "GET" && request.method !== "HEAD" && !isSameOrigin(request)) throw new ApiError("forbidden");
  const shown = request.headers.get(businessHeader);
  const person = request.headers.get(personHeader);
  if (shown !== null && shown !== String(session.businessId)) throw new ApiError("business_changed");
  if (person !== null && person !== session.userId) throw new ApiError("business_changed");
  const livemode = request.headers.get(modeHeader) === "live";
  return {
    businessId: session.businessId,
    livemode,
    clockAhead: livemode ? 0 : session.testClockAhead,
    scopes: roleScopes[session.role],
    who: { type: "user", id: session.userId },
    session: { id: session.sessionId, role: session.role },
  };
}

/** Whether a request comes from our own pages. Browsers send Origin with every write. */
export function isSameOrigin(request: Incoming): boolean {
  const origin = request.headers.get("origin");
  return origin !== null && (origin === new URL(env().APP_URL).origin || sameHost(origin, request));
}

/** For access under another name than APP_URL, such as a LAN address: the page and the API still share the Host. */
function sameHost(origin: string, request: Incoming): boolean {
  return URL.canParse(origin) && new URL(origin).host === request.headers.get("host");
}
