"use client";

import { usePathname } from "next/navigation";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { Mode } from "@/lib/api/client";
import { switchMode } from "./mode";

const modes: { mode: Mode; label: string; on: string }[] = [
  {
    mode: "test",
    label: "Test",
    on: "aria-pressed:bg-kumo-warning-tint aria-pressed:text-(--ink-warning) aria-pressed:ring aria-pressed:ring-kumo-warning/60",
  },
  {
    mode: "live",
    label: "Live",
    on: "aria-pressed:bg-kumo-success-tint aria-pressed:text-kumo-success aria-pressed:ring aria-pressed:ring-kumo-success/60",
  },
];

/** Test or live, for all data, keys and pages. */
export function ModeSwitch({ mode: current }: { mode: Mode }) {
  const path = usePathname();
  const hydrated = useHydrated();
  return (
    <fieldset className="shrink-0">
      <legend className="sr-only">Mode</legend>
      <div className="flex gap-0.5 rounded-full bg-kumo-recessed p-0.5 ring ring-kumo-line">
        {modes.map(({ mode, label, on }) => (
          <button
            key={mode}
            type="button"
            aria-pressed={mode === current}
            disabled={!hydrated}
            onClick={() => mode !== current && switchMode(mode, path)}
            className={`h-7 rounded-full px-3 text-sm font-medium text-kumo-subtle hover:text-kumo-default ${on}`}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
