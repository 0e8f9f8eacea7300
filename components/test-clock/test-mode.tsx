"use client";

import { Popover } from "@cloudflare/kumo/components/popover";
import { CaretDownIcon } from "@phosphor-icons/react/dist/ssr/CaretDown";
import { FlaskIcon } from "@phosphor-icons/react/dist/ssr/Flask";
import { useTestClock } from "@/lib/test-clock/queries";
import { AdvanceClock } from "./advance-clock";

const look =
  "inline-flex h-6 shrink-0 items-center gap-1 rounded-full bg-kumo-warning-tint px-2 text-xs font-medium text-(--ink-warning) ring-1 ring-kumo-warning/40";

/** That this is not real money, and the way to the clock of test mode. */
export function TestMode({ canWrite }: { canWrite: boolean }) {
  const { data: clock } = useTestClock();
  const words = (
    <>
      <FlaskIcon size={13} weight="bold" aria-hidden />
      Test mode
    </>
  );
  if (!canWrite || !clock)
    return (
      <span className={look} title="Only test cards work, and no money moves.">
        {words}
      </span>
    );
  return (
    <Popover>
      <Popover.Trigger className={look} title="Only test cards work, and no money moves.">
        {words}
        <span className="sr-only">: test clock</span>
        <CaretDownIcon size={10} weight="bold" aria-hidden />
      </Popover.Trigger>
      <AdvanceClock clock={clock} />
    </Popover>
  );
}
