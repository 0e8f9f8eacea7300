import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isMode, modeCookie } from "@/components/shell/mode";
import { loginPath } from "@/components/shell/next-path";
import { findSession, type SignedIn, sessionIdOf } from "@/lib/auth/session";
import type { Mode } from "@/lib/client/call";
import { db } from "@/lib/core/db";
import { getSettings } from "@/lib/resources/settings/service";

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

/** The mode that the browser looks at. */
export async function currentMode(): Promise<Mode> {
  const chosen = (await cookies()).get(modeCookie)?.value;
  return isMode(chosen) ? chosen : "test";
}

/** The settings of the session's business in that mode. Asked once per request. */
export const currentSettings = cache(async () => {
  const session = await currentSession();
  if (!session) return null;
  return getSettings(db, { businessId: session.businessId, livemode: (await currentMode()) === "live" });
});

/** The time zone in which the business's days begin. */
export const currentTimeZone = async (): Promise<string> => (await currentSettings())?.timezone ?? "UTC";
