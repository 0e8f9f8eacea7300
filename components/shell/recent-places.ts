import { z } from "zod";
import { pageContextKey } from "@/lib/client/call";

const place = z.object({ address: z.string().regex(/^\/(?!\/)/), title: z.string() });
export type Place = z.infer<typeof place>;

const storageKey = "paydesk-recent-places";
const maxPlaces = 8;
/** By person, business and mode: the next person at this browser does not see them. */
const stored = z.record(z.string(), z.array(place));

function read(): z.infer<typeof stored> {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(storageKey) ?? "{}"));
  } catch {
    return {};
  }
}

/** The places that this person opened last in this business and mode, newest first. */
export const recentPlaces = (): Place[] => read()[pageContextKey()] ?? [];

export function rememberPlace({ address, title }: Place): void {
  const others = recentPlaces().filter((known) => known.address !== address);
  const places = [{ address, title: title.slice(0, 100) }, ...others].slice(0, maxPlaces);
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...read(), [pageContextKey()]: places }));
  } catch {
    // Storage may be full or switched off: then there are no recent places.
  }
}

/** At sign-out: their titles have names and e-mails of customers. */
export function forgetPlaces(): void {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Storage that is switched off has nothing to forget.
  }
}
