import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { loginPath } from "@/components/shell/next-path";
import { findSession, type SignedIn, sessionIdOf } from "@/lib/auth/session";

/** The living session of the request that a page is rendered for, or null. Asked once per request. */
export const currentSession = cache(async (): Promise<SignedIn | null> => {
  const request = new Request("http://localhost", { headers: new Headers(await headers()) });
  const id = await sessionIdOf(request);
  return id ? findSession(id) : null;
});

/** For every page of the dashboard: the session, or off to the sign-in page, which leads back to `path`. */
export async function requireSession(path: string): Promise<SignedIn> {
  return (await currentSession()) ?? redirect(loginPath(path));
}
