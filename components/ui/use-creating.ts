import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { useHydrated } from "./use-hydrated";

/** The address of a list with its form for a new row open. */
export const creatingAt = (path: string): string => `${path}?create=1`;

/** Whether a list's form for a new row is open: by its button, or because the address says so (the command palette). */
export function useCreating(may: boolean): [open: boolean, change: (open: boolean) => void] {
  const path = usePathname();
  const params = useSearchParams();
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const asked = may && params.has("create");

  function change(next: boolean): void {
    setOpen(next);
    if (next || !asked) return;
    const rest = new URLSearchParams(params);
    rest.delete("create");
    window.history.replaceState(null, "", rest.size > 0 ? `${path}?${rest}` : path);
  }

  return [open || (asked && hydrated), change];
}
