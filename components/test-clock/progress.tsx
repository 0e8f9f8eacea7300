import { useRef } from "react";
import { useTranslations } from "use-intl";
import type { ReadClock } from "@/lib/resources/test-clock/queries";

export function Progress({ clock, className = "" }: { clock: ReadClock; className?: string }) {
  const t = useTranslations("testClock");
  const begun = useRef<number | null>(null);
  if (clock.advancing_to === null) {
    begun.current = null;
    return null;
  }
  const now = Date.parse(clock.now);
  begun.current ??= now;
  const whole = Date.parse(clock.advancing_to) - begun.current;
  const percent = whole > 0 ? Math.min(100, Math.max(4, ((now - begun.current) / whole) * 100)) : 4;
  return (
    <div
      role="progressbar"
      aria-label={t("progress")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      className={`h-0.5 overflow-hidden bg-kumo-warning/25 ${className}`}
    >
      <div
        className="h-full bg-kumo-warning motion-safe:animate-pulse motion-safe:transition-[width]"
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
