import { Dialog } from "@cloudflare/kumo/primitives/dialog";
import { type RefObject, useRef } from "react";
import { useTranslations } from "use-intl";
import { useBackCloses } from "@/components/ui/use-back-closes";
import { PalettePanel } from "./palette-panel";

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Focused before the palette opened. Gets the focus back. */
  focused: RefObject<Element | null>;
}

/** For the body, the dialog would focus the page's first link. A row that was refetched is no longer there. */
function focusAfter(before: Element | null): HTMLElement | boolean {
  if (before === document.body) return false;
  return before instanceof HTMLElement && before.isConnected ? before : true;
}

export function Palette({ open, onOpenChange, focused }: PaletteProps) {
  const t = useTranslations("palette");
  const popup = useRef<HTMLDivElement>(null);

  useBackCloses(open, () => onOpenChange(false));

  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-(--backdrop)" />
        <Dialog.Popup
          aria-label={t("label")}
          data-search
          // Also after a touch, so that the field takes what is typed.
          initialFocus={() => popup.current?.querySelector("input") ?? true}
          finalFocus={() => focusAfter(focused.current)}
          ref={popup}
          className="fixed inset-x-2 top-2 z-40 mx-auto max-w-2xl overflow-hidden rounded-xl bg-kumo-base shadow-2xl ring ring-kumo-line outline-none sm:inset-x-4 sm:top-[10vh]"
        >
          <PalettePanel close={() => onOpenChange(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
