import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { CreateButton } from "@/components/ui/button";
import { type SheetOptions, useSheetWhile } from "@/components/ui/dialogs";
import type { Endpoint } from "@/lib/http/endpoint";
import { useMay } from "./may";

/** The address of a list with its form for a new row open. */
export const creatingAt = (path: string): string => `${path}?create=1`;

interface CreateSheetOptions extends Omit<SheetOptions, "onClosed"> {
  /** Creates the row. */
  endpoint: Endpoint;
  /** The button's label, unless it is the sheet's title. */
  label?: string;
}

/**
 * A list's sheet for a new row. It opens by its button, or because the address says so (the command palette).
 * @returns the button; null for a role that may not create a row
 */
export function useCreateSheet({ endpoint, label, ...sheet }: CreateSheetOptions): ReactNode {
  const may = useMay()(endpoint);
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
  return may ? <CreateButton onClick={() => setPressed(true)}>{label ?? sheet.title}</CreateButton> : null;
}
