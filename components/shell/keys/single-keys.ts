import { useSyncExternalStore } from "react";

const storageKey = "paydesk-single-keys";
const listeners = new Set<() => void>();

/** Whether this browser's user wants keys without Ctrl: people who dictate may trigger them by accident (WCAG 2.1.4). */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, "off");
  } catch {
    // Storage is switched off: the switch stays as it was.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener); // another tab has changed it
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export const useSingleKeys = (): boolean => useSyncExternalStore(subscribe, singleKeysOn, () => true);

/** Toasts do not count, nor does a dialog that is closing. An open dialog may have unsaved changes. */
export const isDialogOpen = (): boolean =>
  document.querySelector(":is([role=dialog], [role=alertdialog]):not([data-closed]), dialog:modal") !== null;

/** An open menu chooses its entries by letters. */
const isMenuOpen = (): boolean => document.querySelector("[role=menu]") !== null;

/** The field of a closing dialog has the focus for a moment longer. */
const typesInto = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select")) &&
  target.closest("[data-closed]") === null;

/** Whether a key press is for the page: no modifier, no field has the focus, no dialog or menu is open, and the user wants such keys. */
export const isPageKey = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !event.repeat &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !typesInto(event.target) &&
  !isDialogOpen() &&
  !isMenuOpen() &&
  singleKeysOn();
