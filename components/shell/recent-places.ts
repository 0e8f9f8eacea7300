import { pageContextKey } from "@/lib/client/call";

export interface Place {
  address: string;
  title: string;
}

const storageKey = "paydesk-recent-places";
const maxPlaces = 8;

function isPlace(value: unknown): value is Place {
  const { address, title } = (value ?? {}) as Record<string, unknown>;
  return typeof address === "string" && /^\/(?!\/)/.test(address) && typeof title === "string";
}

/** By person, business and mode: the next person at this browser does not see them. */
function read(): Record<string, Place[]> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    const isValid = Object.values(stored).every((places) => Array.isArray(places) && places.every(isPlace));
    return isValid ? { ...stored } : {};
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
