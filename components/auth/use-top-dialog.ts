import { type RefObject, useLayoutEffect, useRef } from "react";

/** Events that would close or open popups of the page behind the dialog. */
const blockedEvents = ["keydown", "keyup", "focusin", "focusout", "pointerdown", "mousedown"] as const;

/** Opens a modal dialog above the page and its dialogs. Escape does not close it. */
export function useTopDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    function block(event: Event): void {
      event.stopImmediatePropagation();
      if (event instanceof KeyboardEvent && event.key === "Escape") event.preventDefault();
    }
    const preventCancel = (event: Event): void => event.preventDefault();
    const reopen = (): void => void (element.isConnected && !element.open && element.showModal());
    for (const type of blockedEvents) window.addEventListener(type, block, true);
    element.addEventListener("cancel", preventCancel);
    element.addEventListener("close", reopen); // browsers close a dialog on the second Escape
    element.showModal();
    return () => {
      element.removeEventListener("close", reopen);
      element.close();
      for (const type of blockedEvents) window.removeEventListener(type, block, true);
    };
  }, []);
  return dialog;
}
