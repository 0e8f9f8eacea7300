import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { useBarClass } from "./peek-context";
import { findSelectAll } from "./selection";

interface SelectionBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** What can be done with the selected rows. It stays in view while the list scrolls. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  const t = useTranslations("shell.list.selection");
  const barClass = useBarClass();
  function clear(): void {
    onClear();
    findSelectAll()?.focus(); // the focused button disappears
  }
  return (
    <section
      aria-label={t("label")}
      className={`sticky bottom-[calc(var(--bottom-bar)+1rem)] z-10 mt-3 flex flex-wrap items-center gap-2 rounded-xl bg-kumo-base px-4 py-2.5 shadow-lg ring ring-kumo-line max-md:[&_button]:min-h-11 ${barClass}`}
    >
      <p role="status" className="mr-auto text-base font-medium text-kumo-strong">
        {t("count", { count })}
      </p>
      {children}
      <Button variant="ghost" onClick={clear}>
        {t("clear")}
      </Button>
    </section>
  );
}
