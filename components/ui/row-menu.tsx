"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { DotsThreeIcon } from "@phosphor-icons/react/dist/ssr/DotsThree";
import { onReach } from "./later";
import type { Action } from "./row-menu-opened";

const Opened = onReach("menu", () => import("./row-menu-opened").then(({ RowMenuOpened }) => RowMenuOpened));

interface RowMenuProps {
  /** Its accessible name: "More for Reading club". */
  label: string;
  /** How it looks: three dots in a row of a list, a button with a border beside others. */
  variant?: "ghost" | "secondary";
  /** From top to bottom; false for what the row's state does not allow. */
  actions: (Action | false)[];
}

/** What else can be done with a row, or with what a page shows. */
export function RowMenu({ label, variant = "ghost", actions }: RowMenuProps) {
  const trigger = (
    <Button variant={variant} shape="square" icon={<DotsThreeIcon size={18} weight="bold" />} aria-label={label} />
  );
  return <Opened trigger={trigger} actions={actions.filter((action) => action !== false)} />;
}
