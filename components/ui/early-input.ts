/** What the user typed between opening something and its field getting the focus. */
interface EarlyInput {
  /** Null after a key that cannot be kept: then nothing that was typed arrives. */
  text: string | null;
  enterPressed: boolean;
}

/** So that keys work again if what was asked for never opens. */
const longestPauseMs = 10_000;
const modifiers = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead)$/;

let early: EarlyInput | null = null;
let lastKeyAt = 0;
let cancelSearch: (() => void) | undefined;

/** Ctrl-K or Command-K. */
export const isSearchCombination = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === "k" && (metaKey || ctrlKey) && !altKey && !shiftKey;

/** Whether the search is open, or was asked for and is loading. */
export const isSearchAsked = (): boolean =>
  (early !== null && cancelSearch !== undefined) || document.querySelector("[data-search]:not([data-closed])") !== null;

/**
 * Keeps the text that is typed from now on until its field takes it, so that it neither is lost in part nor acts as keys of the
 * page. Tab, or a combination such as Ctrl+V, drops all of it. Escape, a press, or Ctrl-K ends this.
 * @param onEscape for the search, which begins anew, and whose Enter is kept, too. A sheet is asked for twice: by a key, then by its page
 */
export function keepEarlyInput(onEscape?: () => void): void {
  if (onEscape) early = null;
  early ??= { text: "", enterPressed: false };
  cancelSearch = onEscape;
  lastKeyAt = performance.now();
  // On the window, before the listeners that cancel what is loading. The same listener is added once.
  window.addEventListener("keydown", keepKey, true);
  window.addEventListener("pointerdown", takeEarlyInput, true);
}

/** @returns null if nothing is kept: the next keys are the page's */
export function takeEarlyInput(): EarlyInput | null {
  const taken = early;
  early = null;
  return taken;
}

function keepKey(event: KeyboardEvent): void {
  if (!early) return;
  const { key, timeStamp } = event;
  if (isSearchCombination(event) || timeStamp - lastKeyAt > longestPauseMs) return void takeEarlyInput();
  lastKeyAt = timeStamp;
  if (key === "Escape") {
    early = null;
    if (!cancelSearch) return;
    cancelSearch();
  } else if (key === "Enter" && cancelSearch) early.enterPressed = !!early.text?.trim();
  else early = { text: textAfter(early.text, event), enterPressed: false };
  event.stopImmediatePropagation(); // it closes nothing else
  if (!isCombination(event) && !/^F\d/.test(key)) event.preventDefault(); // the browser still reloads, and opens tabs
}

function textAfter(text: string | null, event: KeyboardEvent): string | null {
  const { key, repeat } = event;
  if (text === null || modifiers.test(key)) return text;
  if (repeat && text === "") return text; // the key that opened it is still held down
  if (isCombination(event)) return null;
  if (key === "Backspace") return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}

/** Not AltGr with a character, which Windows reports as Ctrl and Alt, nor Option with one on a Mac. */
function isCombination(event: KeyboardEvent): boolean {
  if (event.metaKey) return true;
  if (event.key.length === 1) return event.ctrlKey && !event.getModifierState("AltGraph");
  return event.ctrlKey || event.altKey;
}
