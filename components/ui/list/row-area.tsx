import {
  type DOMAttributes,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
} from "react";
import { focusLater, isInLayer, isLayerOpen } from "@/components/ui/focus-later";
import { PeekContext, useIsPeekOpen } from "./peek-context";

const controls = "a, button, input, select, textarea, label, summary";
const typing = "input:not([type=checkbox]), textarea, select, [contenteditable=true]";
const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

const openerOf = (row: Element | undefined) => row?.querySelector<HTMLElement>(".row-opener");

/** Whether a text of the row is selected: the click only ended the selection. */
function isSelected(row: Element): boolean {
  const selection = window.getSelection();
  return !!selection && !selection.isCollapsed && selection.containsNode(row, true);
}

interface RowAreaProps {
  main: boolean;
  children: ReactNode;
}

/** Makes each row of a list one target for pointer and keyboard. A row's link or button covers it, except for what lies above. */
export function RowArea({ main, children }: RowAreaProps) {
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, main);
  const focus = useFocusKept(area);
  // Beside an open side peek, the bar of the selection wraps to several lines.
  const scrollMargin = useIsPeekOpen() ? "lg:[&_.row-target_.row-opener]:scroll-mb-72" : "";

  function rowAt(target: EventTarget): Element | null {
    const control = target instanceof Element ? target.closest(controls) : null;
    if (control && !control.matches(".row-opener")) return null;
    return target instanceof Element ? target.closest("[data-row]") : null;
  }

  function keepSelection(event: MouseEvent): void {
    const row = rowAt(event.target);
    if (!row || event.detail === 0 || !isSelected(row)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function follow(event: MouseEvent): void {
    const opener = openerOf(rowAt(event.target) ?? undefined);
    if (!opener || opener.contains(event.target as Node)) return; // the browser follows it
    const inNewTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
    if (inNewTab && opener instanceof HTMLAnchorElement) window.open(opener.href, "_blank", "noopener");
    else if (event.button === 0) opener.click();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for texts above the row's link; keys use the link itself
    // biome-ignore lint/a11y/useKeyWithClickEvents: likewise
    <div
      ref={area}
      className={scrollMargin}
      {...focus}
      onClickCapture={keepSelection}
      onClick={follow}
      onAuxClick={follow}
    >
      {children}
    </div>
  );
}

/**
 * `j`, `k` and the arrow keys move the focus from row to row, and the side peek follows. The arrow keys do so only from a row or
 * from the side peek, because elsewhere they scroll. `x` selects the row that has the focus, or clears it.
 */
function useRowKeys(area: RefObject<HTMLDivElement | null>, main: boolean): void {
  const peek = useContext(PeekContext);

  const move = useEffectEvent((event: KeyboardEvent): void => {
    const step = steps[event.key];
    const target = event.target instanceof HTMLElement ? event.target : document.body;
    if (
      (!step && event.key !== "x") ||
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey
    )
      return;
    if (!area.current || target.closest(typing) || isInLayer(target)) return;
    const row = target.closest("[data-row]");
    const own = area.current.contains(row);
    if (!step) {
      if (own && target.matches(".row-opener")) row?.querySelector<HTMLElement>("[data-select-row]")?.click();
      return;
    }
    const peeked = main && peek?.id !== undefined;
    const isArrow = event.key.startsWith("Arrow");
    const inPeek = target.closest("[data-peek]") !== null;
    if (own ? isArrow && !target.matches(".row-opener, [data-row] input") : row !== null) return;
    if (!own && (!main || (isArrow && !(peeked && inPeek)) || isLayerOpen())) return;
    const rows = [...area.current.querySelectorAll("[data-row]")].filter(openerOf);
    const isFrom = (each: Element) => (own ? each === row : peeked && each.matches("[data-peeked]"));
    // Several refunds of a payment have the same peek: move on from the outermost.
    const from = step < 0 ? rows.findIndex(isFrom) : rows.findLastIndex(isFrom);
    const next = openerOf(rows[from === -1 && step < 0 ? rows.length - 1 : from + step]);
    if (!next) return;
    event.preventDefault();
    const id = next.closest<HTMLElement>("[data-row]")?.dataset.row;
    if (own || !inPeek) next.focus();
    else {
      next.scrollIntoView({ block: "nearest" });
      document.querySelector<HTMLElement>("[data-peek]")?.focus(); // its content changes
    }
    if (peeked && id) peek?.open(id);
  });

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => move(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** When the focused row disappears, such as after its deletion, the row that takes its place gets the focus. */
function useFocusKept(
  area: RefObject<HTMLDivElement | null>,
): Pick<DOMAttributes<HTMLDivElement>, "onFocus" | "onBlur"> {
  const isPeekOpen = useIsPeekOpen();
  const focused = useRef<{ id: string; index: number } | null>(null);
  const rows = () => [...(area.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];

  useEffect(() => {
    const last = focused.current;
    if (!last) return;
    const left = rows();
    if (left.some(({ dataset }) => dataset.row === last.id)) return;
    focused.current = null;
    if (isPeekOpen) return; // the side peek goes on to the next row and keeps the focus
    focusLater(() => {
      const now = rows();
      return openerOf(now[Math.min(last.index, now.length - 1)]);
    }, "if-lost");
  });

  return {
    onFocus: ({ target }) => {
      const row = target.closest<HTMLElement>("[data-row]");
      if (row?.dataset.row && area.current?.contains(row))
        focused.current = { id: row.dataset.row, index: rows().indexOf(row) };
    },
    // A click elsewhere has taken the focus away; a menu or dialog of the row gives it back.
    onBlur: ({ target, relatedTarget }) => {
      if (relatedTarget !== null) return;
      setTimeout(() => {
        if (target.isConnected && document.activeElement === document.body && !isLayerOpen()) focused.current = null;
      });
    },
  };
}
