import type { Mode } from "@/lib/client/call";
import { savePreference } from "./cookie";

/** A cookie, so that the server renders the mode. */
export const modeCookie = "paydesk-mode";

export const isMode = (value: unknown): value is Mode => value === "test" || value === "live";

/** A full page load drops everything that was fetched in the other mode. */
export function switchMode(mode: Mode, address: string): void {
  savePreference(modeCookie, mode);
  window.location.assign(address);
}

/** The list that a page belongs to: an id of one mode does not exist in the other. */
export function listOf(path: string): string {
  const segments = path.split("/");
  return segments.slice(0, segments[1] === "developers" ? 3 : 2).join("/") || "/";
}
