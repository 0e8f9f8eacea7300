import type { Mode } from "@/lib/api/client";

/** Of this browser, and read by the server: the banner is there from the first moment. */
export const modeCookie = "paydesk-mode";

export const isMode = (value: unknown): value is Mode => value === "test" || value === "live";

/** Remembers the mode and loads the page anew: everything on it, and everything kept for it, was the other one's. */
export function switchMode(mode: Mode, path: string): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `${modeCookie}=${mode}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  // To the list that a page belongs to: what one mode shows by its id is not there in the other.
  const segments = path.split("/");
  window.location.assign(segments.slice(0, segments[1] === "developers" ? 3 : 2).join("/") || "/");
}
