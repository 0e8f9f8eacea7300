import { useSyncExternalStore } from "react";
import { loadWhenIdle } from "@/lib/client/idle";

let idle = false;
const listeners = new Set<() => void>();

loadWhenIdle(async () => {
  idle = true;
  for (const listener of listeners) listener();
});

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** False until a few seconds after the page's load, when the browser is idle: for data that a page needs later. */
export const useIdle = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => idle,
    () => false,
  );
