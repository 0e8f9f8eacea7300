import { useCallback, useRef, useSyncExternalStore } from "react";
import { isUnsaved } from "./unsaved";

/**
 * Whether a media query holds. On the server it does not: use it for what is only rendered once data is there. While something
 * typed is unsaved it stays as it was: a form may belong to what would be taken away.
 */
export function useMedia(query: string): boolean {
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
    () => false,
  );
}
