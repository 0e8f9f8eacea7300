import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/auth/scopes";
import { db } from "@/lib/core/db";
import { newId } from "@/lib/core/id";
import type { Merchant } from "./factory";
import { baseUrl, call, type Reply } from "./http";
import { plantSession, testPassword, testPasswordHash } from "./session";

export interface Staff {
  userId: string;
  email: string;
  password: string;
}

/** Creates a member of the merchant's staff. */
export async function createStaff(merchant: Merchant, role: Role = "owner"): Promise<Staff> {
  const email = `staff-${randomUUID()}@example.com`;
  const { id } = await db.user.create({
    data: {
      id: newId("usr"),
      email,
      name: "Grace Hopper",
      email_verified_at: new Date(),
      password_hash: await testPasswordHash(),
      memberships: { create: { business_id: merchant.businessId, role } },
    },
  });
  return { userId: id, email, password: testPassword };
}

type Credentials =
  | { email: string; password: string }
  | { ticket: string; code: string }
  | { passkey: string; ticket?: string };

export interface SignInReply {
  status: number;
  /** The Cookie header, or null when the sign-in was refused. */
  cookie: string | null;
  /** The error code, for which the sign-in page has a text. */
  error: string | null;
}

interface From {
  address?: string;
  agent?: string;
  origin?: string | null;
  /** More of the browser's cookies. */
  cookies?: string[];
  /** The cookies of an earlier sign-in in the same browser: its session is sent. */
  cookie?: string;
}

/** Posts the sign-in over HTTP like the login page. */
export async function attemptSignIn(credentials: Credentials, from: From = {}): Promise<SignInReply> {
  const { address, agent, origin = baseUrl(), cookies: own = [], cookie = "" } = from;
  const headers: Record<string, string> = address ? { "X-Forwarded-For": address } : {};
  const csrf = await fetch(`${baseUrl()}/api/auth/csrf`, { headers });
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const answer = await fetch(`${baseUrl()}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: {
      ...headers,
      Cookie: [...cookies, ...own, ...cookie.split("; ").filter((one) => one.includes("paydesk-session="))].join("; "),
      ...(origin && { Origin: origin }),
      ...(agent && { "User-Agent": agent }),
    },
    body: new URLSearchParams({ csrfToken, ...credentials, json: "true" }),
  });
  const session = answer.headers.getSetCookie().find((cookie) => /paydesk-session=[^;]/.test(cookie));
  const { url } = (await answer.json().catch(() => ({}))) as { url?: string };
  return {
    status: answer.status,
    cookie: session ? [...cookies, session.split(";")[0]].join("; ") : null,
    error: url ? new URL(url, baseUrl()).searchParams.get("error") : null,
  };
}

/** Signs in over HTTP. @returns the Cookie header, or null when the sign-in was refused */
export const signIn = async ({ email, password }: Pick<Staff, "email" | "password">): Promise<string | null> =>
  (await attemptSignIn({ email, password })).cookie;

/** Creates a member of the merchant's staff with a session. */
export async function signedIn(merchant: Merchant, role: Role = "owner"): Promise<Staff & { cookie: string }> {
  const staff = await createStaff(merchant, role);
  const { name, value } = await plantSession(staff.userId, merchant.businessId);
  return { ...staff, cookie: `${name}=${value}` };
}

/** Makes the person's last confirmation too old for requests that need one. */
export const forgetConfirmation = (userId: string): Promise<unknown> =>
  db.session.updateMany({ where: { user_id: userId }, data: { confirmed_at: new Date(Date.now() - 600_001) } });

/** Calls the API like the dashboard. */
export const callAs = (cookie: string, method: string, path: string, body?: unknown, mode = "test"): Promise<Reply> =>
  call(method, path, { body, headers: { Cookie: cookie, Origin: baseUrl(), "X-Paydesk-Mode": mode } });
