import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import type { Icon } from "@phosphor-icons/react";
import { type Reached, useReached } from "./later";

// Inside a landmark, as everything on a page should be; at the body's end, where menus go by default, is none.
const container = {
  get current() {
    return document.getElementById("content");
  },
};

export interface Action {
  label: string;
  icon?: Icon;
  /** Whether something is lost by it. */
  destructive?: boolean;
  onClick: () => void;
}

export function RowMenuOpened({ actions, ...reached }: Reached & { actions: Action[] }) {
  const trigger = useReached(reached);
  return (
    <DropdownMenu>
      <DropdownMenu.Trigger render={trigger} />
      <DropdownMenu.Content align="end" container={container}>
        {actions.map(({ label, icon, destructive, onClick }) => (
          <DropdownMenu.Item key={label} icon={icon} variant={destructive ? "danger" : "default"} onClick={onClick}>
            {label}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}
