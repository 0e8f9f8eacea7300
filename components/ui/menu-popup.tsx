import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { Menu } from "@cloudflare/kumo/primitives/menu";
import type { Icon } from "@phosphor-icons/react";
import { type ReactNode, useEffect, useRef } from "react";
import type { PopupProps } from "./popup-button";

interface MenuPopupProps extends PopupProps {
  align: "start" | "end";
  className?: string;
  children: ReactNode;
}

export function MenuPopup({ anchor, initialFocus, onClose, align, className = "", children }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (initialFocus === "popup") return;
    // After the library has focused the menu.
    const frame = requestAnimationFrame(() => {
      const items = [...(popup.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
      items.at(initialFocus === "first" ? 0 : -1)?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [initialFocus]);

  return (
    <Menu.Root open onOpenChange={onClose}>
      {/* Inside its button's landmark: all content of a page belongs to a landmark. */}
      <Menu.Portal container={anchor.closest<HTMLElement>("header, main")}>
        <Menu.Positioner anchor={anchor} align={align} sideOffset={8} className="z-40">
          <Menu.Popup
            ref={popup}
            aria-label={anchor.getAttribute("aria-label") ?? undefined}
            finalFocus={() => anchor}
            className={`max-h-(--available-height) min-w-36 overflow-y-auto rounded-lg bg-kumo-control p-1.5 text-kumo-default shadow-lg ring ring-kumo-line outline-none pointer-coarse:[&_[role^=menuitem]]:min-h-11 ${className}`}
          >
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

export interface RowAction {
  label: string;
  icon?: Icon;
  destructive?: boolean;
  /** The key `e` starts it, too. */
  edits?: boolean;
  onClick: () => void;
}

export function RowMenuPopup({ actions, ...popup }: PopupProps & { actions: RowAction[] }) {
  return (
    <MenuPopup {...popup} align="end">
      {actions.map(({ label, icon, destructive, onClick }) => (
        <DropdownMenu.Item key={label} icon={icon} variant={destructive ? "danger" : "default"} onClick={onClick}>
          {label}
        </DropdownMenu.Item>
      ))}
    </MenuPopup>
  );
}
