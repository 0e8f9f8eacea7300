import type { FocusEvent } from "react";

/** Scrolls a focused control wholly into view; browsers stop as soon as some of it is visible. */
export function intoView({ target }: FocusEvent): void {
  // Not under a pointer that is about to click it.
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
}
