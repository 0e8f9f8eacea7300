import type { ComponentProps, ReactElement } from "react";
import { onDemand } from "@/components/ui/on-demand";
import { PopupButton } from "@/components/ui/popup-button";
import type { ReadClock } from "@/lib/resources/test-clock/queries";

const AdvanceClockPopup = onDemand(() =>
  import("./advance-clock-popup").then(({ AdvanceClockPopup }) => AdvanceClockPopup),
);

interface AdvanceClockProps {
  trigger: ReactElement<ComponentProps<"button">>;
  clock: ReadClock;
}

export function AdvanceClock({ trigger, clock }: AdvanceClockProps) {
  return (
    <PopupButton opens="dialog" trigger={trigger}>
      {(popup) => <AdvanceClockPopup {...popup} clock={clock} />}
    </PopupButton>
  );
}
