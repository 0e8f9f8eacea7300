import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
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
      className={`sticky bottom-[calc(var(--bottom-bar)+1rem)] z-10 mt-3 flex flex-wrap items-center gap-2 rounded-xl bg-kumo-base px-4 py-2.5 shadow-lg ring ring-kumo-line max-md:[&_button]:min-h-11 max-sm:flex-nowrap max-sm:py-1.5 max-sm:pr-2 ${barClass}`}
    >
      <p role="status" className="mr-auto shrink-0 text-base font-medium text-kumo-strong">
        {t("count", { count })}
      </p>
      {/* On a phone: one row that scrolls sideways, without the disabled actions. */}
      <div className="contents max-sm:flex max-sm:min-w-0 max-sm:flex-1 max-sm:scroll-sideways max-sm:gap-2 max-sm:p-1 max-sm:[&>:disabled]:hidden">
        {children}
      </div>
      <Button
        variant="ghost"
        className="max-sm:min-w-11 max-sm:justify-center"
        icon={<XIcon size={16} aria-hidden className="sm:hidden" />}
        onClick={clear}
      >
        <span className="max-sm:sr-only">{t("clear")}</span>
      </Button>
    </section>
  );
}
