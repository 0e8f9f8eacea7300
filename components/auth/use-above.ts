import { type RefObject, useLayoutEffect, useRef } from "react";

/** What the page behind must not hear of: it would close what is open there, or open more. */
const kept = ["keydown", "keyup", "focusin", "focusout", "pointerdown", "mousedown"] as const;

/**
 * Puts a dialog above all of the page, its own dialogs too. The browser keeps the keyboard in it and everything behind it
 * inert; Escape does not close it. Afterwards the focus is where it was.
 */
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
    element.addEventListener("close", again); // a second Escape closes a dialog without asking
    element.showModal();
    return () => {
      element.removeEventListener("close", again);
      element.close();
      for (const type of kept) window.removeEventListener(type, keep, true);
    };
  }, []);
  return dialog;
}
