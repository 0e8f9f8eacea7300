import { type RefObject, useLayoutEffect, useRef } from "react";

/** Events that would close or open popups of the page behind the dialog. */
const kept = ["keydown", "keyup", "focusin", "focusout", "pointerdown", "mousedown"] as const;

/** Opens a modal dialog above the page and its dialogs. Escape does not close it. */
export function useAbove(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    function keep(event: Event): void {
      event.stopImmediatePropagation();
      if (event instanceof KeyboardEvent && event.key === "Escape") event.preventDefault();
    }
    const stay = (event: Event): void => event.preventDefault();
    const again = (): void => void (element.isConnected && !element.open && element.showModal());
    for (const type of kept) window.addEventListener(type, keep, true);
    element.addEventListener("cancel", stay);
    element.addEventListener("close", again); // browsers close a dialog on the second Escape
    element.showModal();
    return () => {
      element.removeEventListener("close", again);
      element.close();
      for (const type of kept) window.removeEventListener(type, keep, true);
    };
  }, []);
  return dialog;
}
