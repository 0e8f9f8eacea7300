import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** False in the server's HTML and until the script has taken it over: for what must not be used before that. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
