import { useEffect } from "react";
import { layerOf } from "./focus-later";

/** The longest time between the halves of a double click, and the longest way: common settings of systems. */
const longestMs = 500;
const longestPx = 8;

interface Press {
  at: MouseEvent;
  layer: Element | null;
}

const isDouble = (first: MouseEvent, second: MouseEvent): boolean =>
  second.timeStamp - first.timeStamp < longestMs &&
  Math.hypot(second.clientX - first.clientX, second.clientY - first.clientY) < longestPx;

/** Ignores the second half of a double click whose first half closed a dialog or menu: it would press what lay behind. */
export function useDoubleClicksStayInLayers(): void {
  useEffect(() => {
    let first: Press | undefined;
    const guard = (event: MouseEvent): void => {
      if (event.detail === 0 && event.type === "click") return; // of the keyboard, or of a script
      if (first?.layer && !first.layer.isConnected && isDouble(first.at, event)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.type === "click" && event.target instanceof Element) {
        first = { at: event, layer: layerOf(event.target) };
      }
    };
    const types = ["pointerdown", "mousedown", "click"] as const;
    for (const type of types) window.addEventListener(type, guard, true);
    return () => {
      for (const type of types) window.removeEventListener(type, guard, true);
    };
  }, []);
}
