import { useCallback, useRef, useSyncExternalStore } from "react";
import { isUnsaved } from "./unsaved";

/**
 * Whether a media query holds. While something typed is unsaved it stays as it was: a form may belong to what would be
 * taken away.
 * @param onServer what the server takes for granted, and with it the first HTML
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
