"use client";

import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { mayLeave } from "@/components/ui/unsaved";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { Mode } from "@/lib/client/call";
import { listOf, switchMode } from "./mode";

const modes: { mode: Mode; on: string }[] = [
  {
    mode: "test",
    on: "aria-pressed:bg-kumo-warning-tint aria-pressed:text-(--ink-warning) aria-pressed:ring aria-pressed:ring-kumo-warning/60",
  },
  {
    mode: "live",
    on: "aria-pressed:bg-kumo-success-tint aria-pressed:text-kumo-success aria-pressed:ring aria-pressed:ring-kumo-success/60",
  },
];

export function ModeSwitch({ mode: current }: { mode: Mode }) {
  const t = useTranslations("shell.modeSwitch");
  const path = usePathname();
  const hydrated = useHydrated();

  async function change(mode: Mode): Promise<void> {
    if (mode !== current && (await mayLeave())) switchMode(mode, listOf(path));
  }

  return (
    <fieldset className="shrink-0">
      <legend className="sr-only">{t("mode")}</legend>
      <div className="flex gap-0.5 rounded-full bg-kumo-recessed p-0.5 ring ring-kumo-line">
        {modes.map(({ mode, on }) => (
          <button
            key={mode}
            type="button"
            aria-pressed={mode === current}
            disabled={!hydrated}
            onClick={() => void change(mode)}
            className={`h-7 rounded-full px-2.5 text-sm sm:px-3 font-medium text-kumo-subtle hover:text-kumo-default touch-target ${on}`}
          >
            {t(mode)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
