"use client";

import { useEffect, useRef } from "react";

/**
 * Returns the focus to a pressed button when it has stopped loading, because a disabled button loses it. Not if the focus has moved on.
 * @returns remembers the button that is pressed
 */
export function useFocusAfter(loading: boolean): (button: HTMLButtonElement) => void {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (loading) return;
    if (document.activeElement === document.body) button.current?.focus();
    button.current = null;
  }, [loading]);
  return (pressed) => {
    button.current = document.activeElement === pressed ? pressed : null;
  };
}
