import { encode } from "next-auth/jwt";
import { hashPassword } from "@/lib/auth/password";
import { sessionCookie, sessionHours, startSession } from "@/lib/auth/session";
import { db } from "@/lib/core/db";
import { required } from "@/lib/core/env";

/**
 * The password of every test user, unless the test is about passwords. Hashed once per process, because a hash takes 20
 * ms.
 */
export const testPassword = "correct horse battery staple";

let hash: Promise<string> | undefined;

export function testPasswordHash(): Promise<string> {
  hash ??= hashPassword(testPassword);
  return hash;
}

export interface PlantedCookie {
  name: string;
  value: string;
}

/**
 * Starts a session with the product's own functions, without a sign-in over HTTP. For every test that is not about
 * signing in.
 * @returns the session cookie: for Playwright, `context.addCookies([{ ...cookie, url }])`
 */
export async function plantSession(userId: string, businessId: number): Promise<PlantedCookie> {
  const { password_hash } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { password_hash: true },
  });
  const sid = await startSession(userId, businessId, password_hash);
  if (sid === null) throw new Error(`no session for ${userId}`);
  const value = await encode({ token: { sid }, secret: required("APP_SECRET"), maxAge: sessionHours * 3600 });
  return { name: sessionCookie(), value };
}
