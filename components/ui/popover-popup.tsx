import { Popover } from "@cloudflare/kumo/components/popover";
import type { ReactNode } from "react";
import type { PopupProps } from "./popup-button";

interface PopoverPopupProps extends PopupProps {
  className: string;
  children: ReactNode;
}

export function PopoverPopup({ anchor, onClose, className, children }: PopoverPopupProps) {
  return (
    <Popover
      open
      onOpenChange={(_, { event, cancel }) => {
        const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
        const onButton = event.type !== "keydown" && target instanceof Node && anchor.contains(target);
        // The button closes its popover itself. A click in the sign-in dialog must not close it.
        if (onButton || document.querySelector("dialog:modal")) cancel();
        else onClose();
      }}
    >
      <Popover.Content anchor={anchor} align="start" positionMethod="fixed" className={`z-30 ${className}`}>
        {children}
      </Popover.Content>
    </Popover>
  );
}
