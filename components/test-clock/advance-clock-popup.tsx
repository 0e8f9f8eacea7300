import { Popover } from "@cloudflare/kumo/components/popover";
import { useTimeZone, useTranslations } from "use-intl";
import { Moment } from "@/components/ui/moment";
import { PopoverPopup } from "@/components/ui/popover-popup";
import type { PopupProps } from "@/components/ui/popup-button";
import type { ReadClock } from "@/lib/resources/test-clock/queries";
import { ClockControls } from "./clock-controls";
import { Progress } from "./progress";

export function AdvanceClockPopup({ clock, ...popup }: PopupProps & { clock: ReadClock }) {
  const t = useTranslations("testClock.advance");
  const zone = useTimeZone() ?? "UTC";
  return (
    <PopoverPopup {...popup} className="grid w-80 max-w-[calc(100vw-2rem)] gap-4 !px-5 !py-4">
      <div className="grid gap-1">
        <Popover.Title className="font-semibold text-kumo-strong">{t("title")}</Popover.Title>
        <Popover.Description
          className="!leading-snug"
          render={(attributes) => (
            <div {...attributes}>{t.rich("text", { when: () => <Moment at={clock.now} time /> })}</div>
          )}
        />
      </div>
      <ClockControls clock={clock} zone={zone} />
      <Progress clock={clock} className="rounded-full" />
    </PopoverPopup>
  );
}
