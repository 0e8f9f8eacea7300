import { DotsThreeIcon } from "@phosphor-icons/react/dist/ssr/DotsThree";
import type { ReactNode } from "react";
import { Button } from "./button";
import { EditTarget } from "./edit-target";
import type { RowAction } from "./menu-popup";
import { onDemand } from "./on-demand";
import { PopupButton } from "./popup-button";

const RowMenuPopup = onDemand(() => import("./menu-popup").then(({ RowMenuPopup }) => RowMenuPopup));

interface RowMenuProps {
  label: string;
  /** `ghost` in a row of a list, `secondary` beside other buttons. */
  variant?: "ghost" | "secondary";
  /** False hides an action that the row's state does not allow. */
  actions: (RowAction | false)[];
  /** Puts more actions before the others. It may suspend until they are known: the menu opens then. */
  late?: (menu: (more: RowAction[]) => ReactNode) => ReactNode;
}

export function RowMenu({ label, variant = "ghost", actions, late = (menu) => menu([]) }: RowMenuProps) {
  const trigger = (
    <Button variant={variant} shape="square" icon={<DotsThreeIcon size={18} weight="bold" />} aria-label={label} />
  );
  const possible = actions.filter((action) => action !== false);
  return (
    <EditTarget edit={possible.find(({ edits }) => edits)?.onClick}>
      <PopupButton opens="menu" trigger={trigger}>
        {(popup) => late((more) => <RowMenuPopup {...popup} actions={[...more, ...possible]} />)}
      </PopupButton>
    </EditTarget>
  );
}
