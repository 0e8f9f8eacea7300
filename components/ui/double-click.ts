import { useEffect } from "react";
import { layerOf, openLayer } from "./focus-later";

/** Between the two presses of a double click: common settings of systems. */
const maxIntervalMs = 500;
const maxDistancePx = 8;

/** The last press that was not ignored. */
interface Press {
  at: number;
  x: number;
  y: number;
  /** The dialog or menu that was pressed, or that was open beside the press. */
  layer: Element | null;
}

/** Ignores the second half of a double click whose first half closed a dialog or menu: it would press the page behind it. */
export function useIgnoreClickBehindClosed(): void {
  useEffect(() => {
    let last: Press | undefined;
    let ignored = false;
    const ignore = (event: Event): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const press = (event: PointerEvent): void => {
      const { timeStamp: at, clientX: x, clientY: y } = event;
      const closed = last?.layer && !last.layer.isConnected ? last : undefined;
      ignored = !!closed && at - closed.at < maxIntervalMs && Math.hypot(x - closed.x, y - closed.y) < maxDistancePx;
      if (ignored) ignore(event);
      // Recorded before the press can close it.
      else last = { at, x, y, layer: (event.target instanceof Element && layerOf(event.target)) || openLayer() };
    };
    const follow = (event: MouseEvent): void => {
      // Keys click without a press.
      if (ignored && !(event.type === "click" && event.detail === 0)) ignore(event);
    };
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("mousedown", follow, true);
    window.addEventListener("click", follow, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("mousedown", follow, true);
      window.removeEventListener("click", follow, true);
    };
  }, []);
}
