import { type FocusEvent, type RefObject, useEffect } from "react";
import { takeEarlyInput } from "./early-input";

// On a touch screen the panel takes the focus: a focused field would open the keyboard over the form.
const isTouch = (): boolean => matchMedia("(pointer: coarse)").matches;
const firstField = (popup: HTMLElement) => popup.querySelector<HTMLElement>("input, select, textarea");

/** Not the close button while the content loads: Enter would close the sheet. */
export const firstFocus = (popup: HTMLElement): HTMLElement => (isTouch() ? popup : (firstField(popup) ?? popup));

/** Gives the focus to the first field when the content has loaded, and when its next step has fields of its own. */
export function FocusNewFields({ popup }: { popup: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    const { current } = popup;
    if (!current) return;
    let known: HTMLElement | null = null;
    const focusNew = (): void => {
      const first = firstField(current);
      if (first === known) return;
      known = first;
      const { activeElement } = document;
      // Not if the user has moved the focus.
      if (activeElement === document.body || activeElement === current) (isTouch() ? current : first)?.focus();
    };
    focusNew();
    const observer = new MutationObserver(focusNew);
    observer.observe(current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [popup]);
  return null;
}

/** For a sheet's `onFocus`: types what was kept into the field that got the focus. A list to choose from takes none of it. */
export function typeEarlyInput({ target }: FocusEvent): void {
  if (target.hasAttribute("data-sheet")) return; // the fields are still loading
  const text = takeEarlyInput()?.text;
  if (!text || target instanceof HTMLSelectElement) return;
  // After the field's own listeners, which may select its text.
  queueMicrotask(() => document.execCommand("insertText", false, text));
}
