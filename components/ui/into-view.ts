import type { FocusEvent } from "react";

/** For what scrolls: browsers leave what the keyboard has reached where a part of it is seen. */
export function intoView({ target }: FocusEvent): void {
  // Not under a pointer that is about to press it.
  if (target.matches(":focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
}
