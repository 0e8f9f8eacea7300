import { CommandPalette } from "@cloudflare/kumo/components/command-palette";
import { Dialog } from "@cloudflare/kumo/primitives/dialog";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOwnRole } from "@/components/shell/may";
import { useToasts } from "@/components/ui/toasts";
import { mayLeave } from "@/components/ui/unsaved";
import { type Destination, destinations, type Group } from "./destinations";

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function Palette({ open, onOpenChange }: PaletteProps) {
  const t = useTranslations("palette");
  const titles = useTranslations("titles");
  const ownRole = useOwnRole();
  const [typed, setTyped] = useState("");
  const router = useRouter();
  const toasts = useToasts();

  function change(next: boolean): void {
    if (!next) setTyped("");
    onOpenChange(next);
  }

  async function go({ address }: Destination, newTab: boolean): Promise<void> {
    change(false);
    try {
      const target = await address();
      if (newTab) window.open(target, "_blank", "noopener");
      else if (await mayLeave()) router.push(target);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      toasts.failed(t("failed"), error);
    }
  }

  return (
    <Dialog.Root open={open} onOpenChange={change}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-black/30 dark:bg-black/60" />
        <Dialog.Popup
          aria-label={t("label")}
          className="fixed inset-x-4 top-[10vh] z-40 mx-auto max-w-xl overflow-hidden rounded-xl bg-kumo-base shadow-2xl ring ring-kumo-line outline-none"
        >
          <CommandPalette.Panel<Group, Destination>
            open={open}
            items={destinations(ownRole, typed, t, titles)}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ label }) => label}
            getSelectableItems={(groups) => groups.flatMap(({ items }) => items)}
            onSelect={(item, { newTab }) => void go(item, newTab)}
          >
            <CommandPalette.Input
              aria-label={t("label")}
              placeholder={t("placeholder")}
              className="max-sm:text-[16px]"
              autoComplete="off"
              spellCheck={false}
              // Otherwise Escape would close only the list.
              onKeyDown={(event) => {
                if (event.key !== "Escape") return;
                event.preventDefault();
                change(false);
              }}
            />
            {/* Not kumo's List: its scrolling frame cannot be reached by keyboard. */}
            <CommandPalette.Results className="max-h-[60vh] scroll-py-2 overflow-y-auto border-t border-kumo-hairline bg-kumo-base p-2 empty:hidden">
              {(group: Group) => (
                <CommandPalette.Group key={group.label} items={group.items}>
                  <CommandPalette.GroupLabel>{group.label}</CommandPalette.GroupLabel>
                  <CommandPalette.Items>
                    {(item: Destination) => (
                      <CommandPalette.Item
                        className="data-[highlighted]:bg-kumo-tint max-sm:py-2.5"
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
            <CommandPalette.Empty>{t("nothing")}</CommandPalette.Empty>
          </CommandPalette.Panel>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
