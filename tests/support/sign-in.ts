import { randomUUID } from "node:crypto";
import { hashPassword } from "@/lib/auth/password";
import type { Role } from "@/lib/auth/scopes";
import { db } from "@/lib/db";
import { newId } from "@/lib/id";
import type { Merchant } from "./factory";
import { baseUrl } from "./http";

export interface Staff {
  userId: string;
  email: string;
  password: string;
}

/** A person who may sign in to the merchant's dashboard. */
export async function createStaff(merchant: Merchant, role: Role = "owner"): Promise<Staff> {
  const password = randomUUID();
  const email = `staff-${randomUUID()}@example.com`;
  const { id } = await db.user.create({
    data: {
      id: newId("usr"),
      email,
      name: "Grace Hopper",
      password_hash: await hashPassword(password),
      memberships: { create: { business_id: merchant.businessId, role } },
    },
  });
  return { userId: id, email, password };
}

/** Signs in over HTTP as the login page does. Returns the cookies to send, or null when it was refused. */
export async function signIn({ email, password }: Pick<Staff, "email" | "password">): Promise<string | null> {
  const csrf = await fetch(`${baseUrl()}/api/auth/csrf`);
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const cookies = csrf.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  const answer = await fetch(`${baseUrl()}/api/auth/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookies.join("; ") },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const session = answer.headers.getSetCookie().find((cookie) => /paydesk-session=[^;]/.test(cookie));
  return session ? [...cookies, session.split(";")[0]].join("; ") : null;
}
