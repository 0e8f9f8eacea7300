import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";
import { leaveWith } from "@/components/ui/unsaved";
import type { PeekState } from "./peek-context";

export const peekParameter = "peek";

export interface Peek extends PeekState {
  /** Whether a click or key has opened it on this page, not its address. */
  opened: boolean;
  close: () => void;
}

/** The link or button of a list's row that opens it. */
export const findOpener = (id: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] .row-opener`);

/** Keeps the row that is shown beside the list in the address, so that Back closes it and a reload keeps it. */
export function usePeek(): Peek {
  const path = usePathname();
  const id = useSearchParams().get(peekParameter) ?? undefined;
  const pushed = useRef(false);
  const last = useRef(id);

  useEffect(() => {
    const before = last.current;
    last.current = id;
    if (id !== undefined) return;
    pushed.current = false;
    if (before !== undefined && document.activeElement === document.body) findOpener(before)?.focus();
  }, [id]);

  function addressWith(next: string | undefined): string {
    const rest = new URLSearchParams(window.location.search); // useSearchParams follows it later
    if (next === undefined) rest.delete(peekParameter);
    else rest.set(peekParameter, next);
    return rest.size > 0 ? `${path}?${rest}` : path;
  }

  function open(next: string): void {
    if (next === id) return;
    if (id === undefined) {
      pushed.current = true;
      window.history.pushState(null, "", addressWith(next));
    } else leaveWith(() => window.history.replaceState(null, "", addressWith(next)));
  }

  function close(): void {
    if (pushed.current) window.history.back();
    else leaveWith(() => window.history.replaceState(null, "", addressWith(undefined)));
  }

  return { id, opened: pushed.current, open, close };
}
