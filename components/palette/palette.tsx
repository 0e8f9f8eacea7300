"use client";

import { CommandPalette } from "@cloudflare/kumo/components/command-palette";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { explainFailure } from "@/components/ui/explain-failure";
import type { Role } from "@/lib/auth/scopes";
import { type Destination, destinations, type Group } from "./destinations";

interface PaletteProps {
  role: Role;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Goes to any page by its name, to whatever has an id or an e-mail, and to every form for something new. */
export function Palette({ role, open, onOpenChange }: PaletteProps) {
  const [typed, setTyped] = useState("");
  const router = useRouter();
  const toasts = useKumoToastManager();

  function change(next: boolean): void {
    if (!next) setTyped("");
    onOpenChange(next);
  }

  async function go({ address }: Destination, newTab: boolean): Promise<void> {
    change(false);
    try {
      const target = await address();
      if (newTab) window.open(target, "_blank", "noopener");
      else router.push(target);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.add({ title: "That could not be opened", description: explainFailure(error), variant: "error" });
    }
  }

  return (
    <CommandPalette.Root<Group, Destination>
      open={open}
      onOpenChange={change}
      items={destinations(role, typed)}
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={({ label }) => label}
      getSelectableItems={(groups) => groups.flatMap(({ items }) => items)}
      onSelect={(item, { newTab }) => void go(item, newTab)}
    >
      <CommandPalette.Input
        aria-label="Go to or create"
        placeholder="A page, an id, an e-mail …"
        autoComplete="off"
        spellCheck={false}
      />
      <CommandPalette.List>
        <CommandPalette.Results>
          {(group: Group) => (
            <CommandPalette.Group key={group.label} items={group.items}>
              <CommandPalette.GroupLabel>{group.label}</CommandPalette.GroupLabel>
              <CommandPalette.Items>
                {(item: Destination) => (
                  <CommandPalette.Item
                    key={item.id}
                    value={item}
                    onClick={(event) => void go(item, event.metaKey || event.ctrlKey)}
                  >
                    <span className="flex min-w-0 flex-col">
                      <span>{item.label}</span>
                      {item.detail && <span className="truncate text-sm text-kumo-subtle">{item.detail}</span>}
                    </span>
                  </CommandPalette.Item>
                )}
              </CommandPalette.Items>
            </CommandPalette.Group>
          )}
        </CommandPalette.Results>
        <CommandPalette.Empty>Nothing of that name. Ids and e-mails must be whole.</CommandPalette.Empty>
      </CommandPalette.List>
    </CommandPalette.Root>
  );
}
