import type { Mode } from "@/lib/client/call";
import { remember } from "./cookie";

/** Of this browser, and read by the server: the banner is there from the first moment. */
export const modeCookie = "paydesk-mode";

export const isMode = (value: unknown): value is Mode => value === "test" || value === "live";

/** Remembers the mode and loads a page anew: everything on this one, and everything kept for it, was the other one's. */
export function switchMode(mode: Mode, address: string): void {
  remember(modeCookie, mode);
  window.location.assign(address);
}

/** The list that a page belongs to: what one mode shows by its id is not there in the other. */
export function listOf(path: string): string {
  const segments = path.split("/");
  return segments.slice(0, segments[1] === "developers" ? 3 : 2).join("/") || "/";
}
