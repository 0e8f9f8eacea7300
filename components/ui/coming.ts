import { useLinkStatus } from "next/link";
import { useLayoutEffect, useSyncExternalStore } from "react";

let coming: string | null = null;
const listeners = new Set<() => void>();

function change(address: string | null): void {
  coming = address;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The address of the clicked link, from the click until its page is shown; else null. */
export const useComing = (): string | null =>
  useSyncExternalStore(
    subscribe,
    () => coming,
    () => null,
  );

/** Inside a link: names its address while the router waits for the page. */
export function Coming({ address }: { address: string }) {
  const { pending } = useLinkStatus();
  useLayoutEffect(() => {
    if (!pending) return;
    change(address);
    return () => change(null);
  }, [pending, address]);
  return null;
}
