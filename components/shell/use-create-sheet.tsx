import { usePathname, useSearchParams } from "next/navigation";
import { type ReactNode, useState } from "react";
import { CreateButton } from "@/components/ui/button";
import type { SheetOptions } from "@/components/ui/dialog-frames";
import { loadFrames, useSheetWhile } from "@/components/ui/dialogs";
import { focusLater } from "@/components/ui/focus-later";
import type { Endpoint } from "@/lib/http/endpoint";
import { useMay } from "./may";

interface CreateSheetOptions extends Omit<SheetOptions, "onClosed"> {
  endpoint: Endpoint;
  /** The `onDemand` component in `content`. It loads when the pointer or the focus comes to the button. */
  form: { preload: () => Promise<unknown> };
}

/**
 * A list's sheet for a new row. The button or the address (`?create=1`, from the palette or the key c) opens it.
 * @returns the button; null for a role that may not create a row
 */
export function useCreateSheet({ endpoint, form, ...sheet }: CreateSheetOptions): ReactNode {
  const may = useMay()(endpoint);
  const path = usePathname();
  const params = useSearchParams();
  const [pressed, setPressed] = useState(false);
  const inAddress = may && params.has("create");

  function onClosed(): void {
    setPressed(false);
    // Opened by the address, or by the button of an empty list, which is gone when the list has a row.
    focusLater(() => document.querySelector<HTMLElement>("button[name=create]"), "if-lost");
    if (!inAddress) return;
    const rest = new URLSearchParams(params);
    rest.delete("create");
    window.history.replaceState(null, "", rest.size > 0 ? `${path}?${rest}` : path);
  }

  function preload(): void {
    // If it fails, the sheet loads it again, and says so.
    for (const load of [loadFrames, form.preload]) load().catch(() => undefined);
  }

  useSheetWhile(pressed || inAddress, { ...sheet, onClosed });
  return may ? (
    <CreateButton onReach={preload} onClick={() => setPressed(true)}>
      {sheet.title}
    </CreateButton>
  ) : null;
}
