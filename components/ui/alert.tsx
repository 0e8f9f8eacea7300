import { WarningCircleIcon } from "@phosphor-icons/react/dist/ssr/WarningCircle";
import type { ReactNode } from "react";

/** The live region is rendered before its text, so that screen readers announce the text. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="empty:hidden">
      {children && (
        <p className="flex items-start gap-2 rounded-lg bg-kumo-danger-tint px-3 py-2.5 text-base leading-snug text-kumo-danger">
          <WarningCircleIcon size={18} className="mt-px shrink-0" aria-hidden />
          <span className="min-w-0 break-words">{children}</span>
        </p>
      )}
    </div>
  );
}
