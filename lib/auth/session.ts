import ipaddr from "ipaddr.js";
import { decode, type JWT } from "next-auth/jwt";
import { acting } from "@/lib/core/acting";
import { isDatabaseAway } from "@/lib/core/database-error";
import { type Db, db, lookUp, Prisma, queryRows, transaction } from "@/lib/core/db";
import { appSecrets, env } from "@/lib/core/env";
import { ApiError } from "@/lib/core/errors";
import { newId } from "@/lib/core/id";
import type { Incoming } from "@/lib/core/incoming";
import type { Client } from "@/lib/core/network";
import type { Actor } from "./actor";
import { audit } from "./audit";
import { type Role, roleScopes } from "./scopes";
import { isRecent } from "./step-up";

/** The session cookie's name. Its value is an encrypted token that carries only a session id. */
export const sessionCookie = (): string =>
  env().APP_URL.startsWith("https:") ? "__Host-paydesk-session" : "paydesk-session";

/** The cookie that binds a passkey's challenge to the browser before the sign-in. */
export const browserCookie = (): string =>
  env().APP_URL.startsWith("https:") ? "__Host-paydesk-browser" : "paydesk-browser";

export const sessionHours = 12;

/** The dashboard's mode; test without it. */
export const modeHeader = "x-paydesk-mode";

/** The business that a page shows: after a switch in another tab, the page's writes must not reach the other business. */
export const businessHeader = "x-paydesk-business";
export const personHeader = "x-paydesk-person";
/** Marks background polling of an idle page, which does not count as activity. */
const unattendedHeader = "x-paydesk-unattended";

/** `previousSession`: the one that the browser had, which ends when it signs in again. */
export interface SignInClient extends Client {
  previousSession?: string | null;
}

/**
 * Starts a session for a member of a business.
 * @param passwordHash the hash of the password that was checked
 * @returns the session's id; null when the password has changed since the check
 */
export async function startSession(
  userId: string,
  businessId: number,
  passwordHash: string,
  client?: SignInClient,
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
    const person = { user_id: userId, business_id: businessId };
    await tx.session.create({ data: { id, ...person, expires_at, confirmed_at: new Date(), ...from } });
    await audit(tx, businessId, { action: "session.signed_in", resource_id: id, who });
    if (client?.previousSession) await endSession(client.previousSession, tx);
    return id;
  });
}

/** Ends a session at once: the next request with it is unauthenticated. */
export async function endSession(id: string, tx: Db = db): Promise<void> {
  await transaction(tx, async (tx) => {
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
  /** When the person last proved their identity in this session. */
  confirmedAt: Date | null;
  /** The business required a second factor before the session started, and the person has none. */
  lacksSecondFactor: boolean;
  /** Always false without a mail server: no address can be confirmed then. */
  mustVerifyEmail: boolean;
}

interface SessionRow extends Omit<SignedIn, "role"> {
  role: string;
  lastSeenAt: Date;
  expiresAt: Date;
}

/**
 * An active session: not ended, at most 12 h old, not idle for SESSION_IDLE_MINUTES, and with a membership.
 * @param attended whether the request counts as activity (background polling does not)
 */
export async function findSession(id: string, attended = true): Promise<SignedIn | null> {
  const [row] = await lookUp<SessionRow>(
    db,
    Prisma.sql`
    SELECT s.id AS "sessionId", u.id AS "userId", u.name AS "userName", u.email AS "userEmail", b.id AS "businessId",
           b.name AS "businessName", b.test_clock_ahead::float8 AS "testClockAhead", m.role,
           coalesce(b.two_factor_since < s.created_at, false) AND u.two_factor_at IS NULL
             AND NOT EXISTS (SELECT FROM passkey p WHERE p.user_id = u.id) AS "lacksSecondFactor",
           u.email_verified_at IS NULL AND ${env().SMTP_URL !== undefined}::boolean AS "mustVerifyEmail",
           s.confirmed_at AS "confirmedAt", s.last_seen_at AS "lastSeenAt", s.expires_at AS "expiresAt"
      FROM session s
      JOIN membership m ON m.business_id = s.business_id AND m.user_id = s.user_id
      JOIN staff_user u ON u.id = s.user_id
      JOIN business b ON b.id = s.business_id
     WHERE s.id = ${id}`,
  );
  if (!row) return null;
  const { lastSeenAt, expiresAt, role, ...session } = row;
  const now = Date.now();
  const idleSince = lastSeenAt.getTime();
  if (expiresAt.getTime() <= now || now - idleSince > env().SESSION_IDLE_MINUTES * 60_000) return null;
  // Written at most once a minute, or more often for a short idle time, so that a skipped write never ends a session early.
  if (attended && now - idleSince > Math.min(60_000, env().SESSION_IDLE_MINUTES * 6_000))
    await db.session.updateMany({ where: { id }, data: { last_seen_at: new Date(now) } }).catch((error: unknown) => {
      if (!isDatabaseAway(error)) throw error; // reads go on while no standby confirms writes
    });
  return isRole(role) ? { ...session, role } : null;
}

function isRole(role: string): role is Role {
  return Object.hasOwn(roleScopes, role);
}

/** @param header the request's Cookie header */
export function cookieOf(header: string, name: string): string | null {
  const cookies = header.split(/;\s*/);
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) || null;
}

export const sessionIdOf = (request: Incoming): Promise<string | null> =>
  sessionIdIn(request.headers.get("cookie") ?? "");

/** @param cookies a Cookie header */
export async function sessionIdIn(cookies: string): Promise<string | null> {
  const token = cookieOf(cookies, sessionCookie());
  const payload = token ? await decodeSession(token) : null;
  return typeof payload?.sid === "string" ? payload.sid : null;
}

/** The content of a session's cookie; null if neither APP_SECRET nor APP_SECRET_PREVIOUS decrypts it, or it is too old. */
export async function decodeSession(token: string): Promise<JWT | null> {
  for (const secret of appSecrets()) {
    const payload = await decode({ token, secret }).catch(() => null);
    if (payload) return payload;
  }
  return null;
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
    session: {
      id: session.sessionId,
      role: session.role,
      confirmed: isRecent(session.confirmedAt),
      lacksSecondFactor: session.lacksSecondFactor,
      mustVerifyEmail: session.mustVerifyEmail,
    },
  };
}

/** Whether a request comes from our own pages. Browsers send Origin with every write. */
export function isSameOrigin(request: Incoming): boolean {
  const origin = request.headers.get("origin");
  return origin !== null && (origin === env().APP_URL || isSameAddress(origin, request));
}

/**
 * For access to an http APP_URL under another address of the machine, such as that of the LAN: the page and the API share the
 * Host. A name does not count: its owner can let it resolve to this machine.
 */
function isSameAddress(origin: string, request: Incoming): boolean {
  if (!env().APP_URL.startsWith("http:") || !URL.canParse(origin)) return false;
  const { protocol, hostname, host } = new URL(origin);
  const isAddress = hostname === "localhost" || ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""));
  return protocol === "http:" && isAddress && host === request.headers.get("host");
}
