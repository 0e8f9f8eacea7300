import type { Mode } from "@/lib/client/call";

/** Of this browser, and read by the server: the banner is there from the first moment. */
export const modeCookie = "paydesk-mode";

export const isMode = (value: unknown): value is Mode => value === "test" || value === "live";

/** Remembers the mode and loads a page anew: everything on this one, and everything kept for it, was the other one's. */
export function switchMode(mode: Mode, address: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `${modeCookie}=${mode}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  window.location.assign(address);
}

/** The list that a page belongs to: what one mode shows by its id is not there in the other. */
export function listOf(path: string): string {
  const segments = path.split("/");
  return segments.slice(0, segments[1] === "developers" ? 3 : 2).join("/") || "/";
}
