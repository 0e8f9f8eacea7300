import { encode } from "next-auth/jwt";
import { hashPassword } from "@/lib/auth/password";
import { sessionCookie, sessionHours, startSession } from "@/lib/auth/session";
import { db } from "@/lib/core/db";
import { required } from "@/lib/core/env";

/** The password of every test user that is not about passwords: hashed once a process, because a hash takes 20 ms. */
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
 * Starts a session for a member of a business with the product's own functions and without a sign-in over HTTP. For every
 * test that is not about signing in.
 * @returns the cookie that the server would have set: for Playwright, `context.addCookies([{ ...cookie, url }])`
 */
export async function plantSession(userId: string, businessId: number): Promise<PlantedCookie> {
  const { password_hash } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const sid = await startSession(userId, businessId, password_hash);
  if (sid === null) throw new Error(`no session for ${userId}`);
  const value = await encode({ token: { sid }, secret: required("APP_SECRET"), maxAge: sessionHours * 3600 });
  return { name: sessionCookie(), value };
}
