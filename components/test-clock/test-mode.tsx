"use client";

import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { FlaskIcon } from "@phosphor-icons/react/dist/ssr/Flask";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { testClockEndpoints } from "@/lib/resources/test-clock/contract";
import { useTestClock } from "@/lib/resources/test-clock/queries";
import { AdvanceClock } from "./advance-clock";

const look =
  "inline-flex h-6 shrink-0 items-center gap-1 rounded-full bg-kumo-warning-tint px-2 text-xs font-medium text-(--ink-warning) ring-1 ring-kumo-warning/40";

export function TestMode() {
  const t = useTranslations("testClock");
  const canAdvance = useMay()(testClockEndpoints.advance);
  const { data: clock } = useTestClock();
  const icon = <FlaskIcon size={13} weight="bold" aria-hidden />;
  if (!canAdvance || !clock)
    return (
      <span className={look} title={t("testModeHint")}>
        {icon}
        {t("testMode")}
      </span>
    );
  const trigger = (
    <button type="button" className={`${look} touch-target`} title={t("testModeHint")}>
      {icon}
      {t.rich("testModeTrigger", { hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
      <CaretDownIcon size={10} weight="bold" aria-hidden />
    </button>
  );
  return <AdvanceClock trigger={trigger} clock={clock} />;
}
