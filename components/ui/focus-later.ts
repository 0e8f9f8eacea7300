const layers = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]";
const checkMs = 50;
const longestMs = 5_000;

/** An open dialog, sheet, menu or list of choices. */
export const openLayer = (): Element | null => document.querySelector(layers);

export const isLayerOpen = (): boolean => openLayer() !== null;

export const layerOf = (target: Element): Element | null => target.closest(layers);

export const isInLayer = (target: Element): boolean => layerOf(target) !== null;

/** Gives the focus to the page's content, where screen readers and Tab go on. The page does not scroll. */
export const focusPage = (): undefined => void document.getElementById("content")?.focus({ preventScroll: true });

/**
 * Gives an element the focus as soon as no dialog or menu is open.
 * @param how "if-lost": only if nothing else has the focus by then
 */
export function focusLater(find: () => HTMLElement | null | undefined, how: "always" | "if-lost"): void {
  const start = Date.now();
  const check = () => {
    if (isLayerOpen() && Date.now() - start < longestMs) return void setTimeout(check, checkMs);
    if (how === "always" || document.activeElement === document.body) find()?.focus();
  };
  setTimeout(check, checkMs);
}
