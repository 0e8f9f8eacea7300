"use client";

import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import dynamic from "next/dynamic";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { isDialogOpen, isPageKey } from "@/components/shell/keys/single-keys";
import { isSearchCombination, keepEarlyInput } from "@/components/ui/early-input";

const Palette = dynamic(() => import("./palette").then(({ Palette }) => Palette), { ssr: false });

/** Ctrl-K, Command-K and `/` open the palette too. */
export function PaletteButton() {
  const t = useTranslations("palette");
  /** Null until the first use, which loads the palette. */
  const [open, setOpen] = useState<boolean | null>(null);

  /** What had the focus before. */
  const focused = useRef<Element>(null);

  const show = useCallback(() => {
    focused.current = document.activeElement;
    keepEarlyInput(() => setOpen(false));
    setOpen(true);
  }, []);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isCombination = isSearchCombination(event);
      const isSlash = event.key === "/" && isPageKey(event);
      if (!isCombination && !isSlash) return;
      event.preventDefault();
      if (!isDialogOpen()) show();
      else if (isCombination) selectSearchText();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [show]);

  return (
    <>
      <button
        type="button"
        aria-label={t("label")}
        aria-keyshortcuts="Control+K Meta+K /"
        onClick={show}
        className="flex h-9 shrink-0 items-center gap-2 rounded-lg px-2.5 pointer-coarse:h-11 max-lg:pointer-coarse:px-3.25 text-base text-kumo-subtle ring-kumo-line hover:text-kumo-default lg:w-56 lg:ring"
      >
        <MagnifyingGlassIcon size={18} aria-hidden />
        <span aria-hidden className="min-w-0 truncate max-lg:hidden">
          {t("short")}
        </span>
        <kbd aria-hidden className="ml-auto shrink-0 font-sans text-sm max-lg:hidden">
          {t("shortcut")}
        </kbd>
      </button>
      {open !== null && <Palette open={open} onOpenChange={setOpen} focused={focused} />}
    </>
  );
}

/** In the open palette, so that the next search replaces the last. */
function selectSearchText(): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.getAttribute("role") === "combobox")
    activeElement.select();
}
