import type { FocusEvent } from "react";

/** Scrolls a focused control fully into view. Browsers stop once a part of it is visible. */
export function intoView({ target }: FocusEvent): void {
  // Not for a click: scrolling would move the control away from the pointer.
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
}
