import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { type SheetOptions, useSheetWhile } from "./dialogs";

/** The address of a list with its form for a new row open. */
export const creatingAt = (path: string): string => `${path}?create=1`;

/**
 * A list's sheet for a new row. It opens by its button, or because the address says so (the command palette).
 * @returns how to open it
 */
export function useCreateSheet(may: boolean, sheet: Omit<SheetOptions, "onClosed">): () => void {
  const path = usePathname();
  const params = useSearchParams();
  const [pressed, setPressed] = useState(false);
  const inAddress = may && params.has("create");

  function onClosed(): void {
    setPressed(false);
    if (!inAddress) return;
    const rest = new URLSearchParams(params);
    rest.delete("create");
    window.history.replaceState(null, "", rest.size > 0 ? `${path}?${rest}` : path);
  }

  useSheetWhile(pressed || inAddress, { ...sheet, onClosed });
  return () => setPressed(true);
}
