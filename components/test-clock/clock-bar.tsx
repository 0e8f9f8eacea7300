"use client";

import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import type { ReactNode } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { Button } from "@/components/ui/button";
import { Moment, momentWords } from "@/components/ui/moment";
import { useToasts } from "@/components/ui/toasts";
import { When } from "@/components/ui/when";
import { testClockEndpoints } from "@/lib/resources/test-clock/contract";
import { isAhead, useTestClock } from "@/lib/resources/test-clock/queries";
import { AdvanceClock } from "./advance-clock";
import { Progress } from "./progress";
import { useArrival } from "./use-arrival";

/** On a phone, the icon says it. */
const label = (words: ReactNode) => <span className="max-sm:sr-only">{words}</span>;

/** On a phone, without the year or without the time. */
const FittingMoment = ({ at }: { at: string }) => (
  <>
    <span className="max-sm:hidden">
      <Moment at={at} time />
    </span>
    <span className="sm:hidden">
      <When at={at} />
    </span>
  </>
);

/** Shown while the test clock is ahead or advancing. Announces when the clock arrives. */
export function ClockBar() {
  const t = useTranslations("testClock");
  const canAdvance = useMay()(testClockEndpoints.advance);
  const { data: clock } = useTestClock();
  const zone = useTimeZone() ?? "UTC";
  const toasts = useToasts();
  useArrival(clock, ({ now }) => toasts.add({ title: t("arrived", { time: momentWords(now, zone, true) }) }));
  if (!clock || (clock.status === "ready" && !isAhead(clock))) return null;
  const { now, advancing_to } = clock;
  return (
    <div data-clock className="flex min-w-0 items-center gap-2 max-sm:flex-1 sm:ml-auto">
      <ClockIcon size={15} weight="bold" className="shrink-0" aria-hidden />
      <p className="min-w-0 truncate">
        {advancing_to
          ? t.rich("advancingTo", { label, when: () => <FittingMoment at={advancing_to} /> })
          : t.rich("shows", {
              label,
              when: () => (
                <b className="font-semibold">
                  <FittingMoment at={now} />
                </b>
              ),
            })}
      </p>
      {canAdvance && (
        <AdvanceClock
          clock={clock}
          trigger={
            <Button variant="ghost" size="sm" className="max-sm:ml-auto !text-inherit" aria-label={t("openLabel")}>
              {t("open")}
            </Button>
          }
        />
      )}
      <Progress clock={clock} className="absolute inset-x-0 bottom-0" />
    </div>
  );
}
