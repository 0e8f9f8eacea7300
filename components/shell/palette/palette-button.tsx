"use client";

import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import dynamic from "next/dynamic";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";

const Palette = dynamic(() => import("./palette").then(({ Palette }) => Palette), { ssr: false });

/** Ctrl-K and Command-K open the palette too. */
export function PaletteButton() {
  const t = useTranslations("palette");
  /** Null until the first use, which loads the palette. */
  const [open, setOpen] = useState<boolean | null>(null);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // An open dialog may have unsaved changes. Toasts have a dialog's role too, but do not block the palette.
      const dialogs = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")];
      if (dialogs.every((dialog) => dialog.closest("[role=region]"))) setOpen(true);
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-label={t("label")}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        className="flex h-9 shrink-0 items-center gap-2 rounded-lg px-2.5 text-base text-kumo-subtle ring-kumo-line hover:text-kumo-default lg:w-56 lg:ring"
      >
        <MagnifyingGlassIcon size={18} aria-hidden />
        <span aria-hidden className="max-lg:hidden">
          {t("short")}
        </span>
        <kbd aria-hidden className="ml-auto font-sans text-sm max-lg:hidden">
          {t("shortcut")}
        </kbd>
      </button>
      {open !== null && <Palette open={open} onOpenChange={setOpen} />}
    </>
  );
}
