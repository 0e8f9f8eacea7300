/** What the user typed between opening something and its field getting the focus. */
interface EarlyInput {
  text: string;
  enterPressed: boolean;
}

/** So that keys work again if what was asked for never opens. */
const longestPauseMs = 10_000;
const modifiers = /^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead)$/;

let early: EarlyInput | null = null;
let lastKeyAt = 0;
let cancelSearch: (() => void) | undefined;

/**
 * Keeps the text that is typed from now on until its field takes it, so that it neither is lost in part nor acts as keys of the
 * page. Escape, Tab, a combination such as Ctrl+V, or a press drops all of it and ends this.
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
  const { key, repeat, timeStamp } = event;
  const { text } = early;
  const isText = key.length === 1 && !event.metaKey && (!event.ctrlKey || event.getModifierState("AltGraph"));
  const isCombination = !isText && (event.metaKey || event.ctrlKey || event.altKey) && !modifiers.test(key);
  if (key === "Escape" || key === "Tab" || isCombination || timeStamp - lastKeyAt > longestPauseMs) {
    early = null;
    if (key !== "Escape" || !cancelSearch) return;
    cancelSearch();
    event.preventDefault();
    event.stopImmediatePropagation(); // it closes nothing else
    return;
  }
  if (key === "Enter" && cancelSearch) early = { text, enterPressed: text.trim() !== "" };
  else if (key === "Backspace") early = { text: text.slice(0, -1), enterPressed: false };
  else if (isText) {
    const isOpener = repeat && text === ""; // the key that opened it is still held down
    if (!isOpener) early = { text: text + key, enterPressed: false };
  } else if (!modifiers.test(key)) return;
  lastKeyAt = timeStamp;
  event.preventDefault();
  event.stopImmediatePropagation();
}
