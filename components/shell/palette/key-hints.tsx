import type { ReactNode } from "react";
import { useTranslations } from "use-intl";

/** Not on touch screens, nor for screen readers, which announce how a list is used. */
export function KeyHints() {
  const t = useTranslations("palette.hints");
  return (
    <div
      aria-hidden
      className="flex items-center gap-4 border-t border-kumo-hairline px-4 py-2 text-xs text-kumo-subtle max-sm:hidden"
    >
      <Hint keys="↑ ↓">{t("move")}</Hint>
      <Hint keys="↵">{t("open")}</Hint>
      <Hint keys="Ctrl ↵">{t("newTab")}</Hint>
      <Hint keys="Esc">{t("close")}</Hint>
    </div>
  );
}

function Hint({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-1.5">
      <kbd className="rounded bg-kumo-recessed px-1 py-0.5 font-sans">{keys}</kbd>
      {children}
    </span>
  );
}
