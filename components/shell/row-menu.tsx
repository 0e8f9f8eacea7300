"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { DropdownMenu } from "@cloudflare/kumo/components/dropdown";
import { DotsThreeIcon } from "@phosphor-icons/react/dist/ssr/DotsThree";
import type { ReactNode } from "react";

// Inside a landmark, as everything on a page should be; at the body's end, where menus go by default, is none.
const container = {
  get current() {
    return document.getElementById("content");
  },
};

interface RowMenuProps {
  /** Its accessible name: "More for Reading club". */
  label: string;
  /** How it looks: three dots in a row of a list, a button with a border beside others. */
  variant?: "ghost" | "secondary";
  children: ReactNode;
}

/** What else can be done with a row, or with what a page shows. */
export function RowMenu({ label, variant = "ghost", children }: RowMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenu.Trigger
        render={
          <Button
            variant={variant}
            shape="square"
            icon={<DotsThreeIcon size={18} weight="bold" />}
            aria-label={label}
          />
        }
      />
      <DropdownMenu.Content align="end" container={container}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu>
  );
}
