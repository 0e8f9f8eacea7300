import { createContext, useCallback, useRef, useSyncExternalStore } from "react";
import { isUnsaved } from "./unsaved";

/** Whether the server detected a phone. */
export const OnPhone = createContext(true);

/**
 * Does not change while there are unsaved changes: a form could be unmounted.
 * @param onServer the value in the server's HTML
 */
export function useMedia(query: string, onServer = false): boolean {
  const last = useRef<boolean | null>(null);
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener("change", changed);
      return () => list.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => {
      if (last.current === null || !isUnsaved()) last.current = window.matchMedia(query).matches;
      return last.current;
    },
    () => onServer,
  );
}
