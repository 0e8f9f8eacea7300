import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isMode, modeCookie } from "@/components/shell/mode";
import { loginPath } from "@/components/shell/next-path";
import { findSession, type SignedIn, sessionIdOf } from "@/lib/auth/session";
import type { Mode } from "@/lib/client/call";
import { db } from "@/lib/core/db";
import { getSettings } from "@/lib/resources/settings/service";

/** The valid session of the page's request, or null. Cached for the request. */
export const currentSession = cache(async (): Promise<SignedIn | null> => {
  const request = new Request("http://localhost", { headers: new Headers(await headers()) });
  const id = await sessionIdOf(request);
  return id ? findSession(id) : null;
});

/** Redirects to the sign-in page, which leads back to `path`, if there is no session. */
export async function requireSession(path: string): Promise<SignedIn> {
  return (await currentSession()) ?? redirect(loginPath(path));
}

export async function currentMode(): Promise<Mode> {
  const chosen = (await cookies()).get(modeCookie)?.value;
  return isMode(chosen) ? chosen : "test";
}

export const currentSettings = cache(async () => {
  const session = await currentSession();
  if (!session) return null;
  return getSettings(db, { businessId: session.businessId, livemode: (await currentMode()) === "live" });
});

/** What the device says that it is; the page's own width is not known here. */
export async function onPhone(): Promise<boolean> {
  const sent = await headers();
  return sent.get("sec-ch-ua-mobile") === "?1" || /Mobi/.test(sent.get("user-agent") ?? "");
}

export const currentTimeZone = async (): Promise<string> => (await currentSettings())?.timezone ?? "UTC";
