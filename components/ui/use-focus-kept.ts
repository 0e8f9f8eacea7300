"use client";

import { type DOMAttributes, useEffect, useRef } from "react";
import { focusLater, isInLayer, isLayerOpen } from "./focus-later";

type Handlers = Pick<DOMAttributes<HTMLElement>, "onFocus" | "onBlur">;

/**
 * When the focused button disappears, such as after its payment has settled, another element gets the focus. Not if the focus has
 * moved on.
 * @param findHeir the other element, in a component that renders again when the buttons change
 * @returns the event handlers of the buttons' container
 */
export function useFocusKept(findHeir: () => HTMLElement | null | undefined): Handlers {
  const focused = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    focusLater(findHeir, "if-lost");
  });

  return {
    onFocus: ({ target, currentTarget }) => {
      if (currentTarget.contains(target)) focused.current = target;
    },
    // A dialog or menu gives the focus back, and so does a button that has stopped loading.
    onBlur: ({ target, relatedTarget }) => {
      if (relatedTarget) {
        if (!isInLayer(relatedTarget)) focused.current = null;
        return;
      }
      setTimeout(() => {
        const isLost = document.activeElement === document.body && !isLayerOpen();
        if (isLost && target.isConnected && !target.matches(":disabled")) focused.current = null;
      });
    },
  };
}
