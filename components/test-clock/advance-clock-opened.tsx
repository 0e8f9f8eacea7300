import { Popover } from "@cloudflare/kumo/components/popover";
import { useTranslations } from "use-intl";
import { type Reached, useReached } from "@/components/ui/later";
import { Moment } from "@/components/ui/moment";
import { useTimeZone } from "@/lib/resources/settings/queries";
import type { ReadClock } from "@/lib/resources/test-clock/queries";
import { ClockControls } from "./clock-controls";
import { Progress } from "./progress";

export function AdvanceClockOpened({ clock, ...reached }: Reached & { clock: ReadClock }) {
  const trigger = useReached(reached);
  const t = useTranslations("testClock.advance");
  const zone = useTimeZone();
  return (
    // Not closed by a press in the dialog that asks to sign in again.
    <Popover onOpenChange={(open, { cancel }) => !open && document.querySelector("dialog:modal") && cancel()}>
      <Popover.Trigger render={trigger} />
      <Popover.Content
        positionMethod="fixed"
        align="start"
        className="z-30 grid w-80 max-w-[calc(100vw-2rem)] gap-4 !px-5 !py-4"
      >
        <div className="grid gap-1">
          <Popover.Title className="font-semibold text-kumo-strong">{t("title")}</Popover.Title>
          <Popover.Description
            className="!leading-snug"
            render={(attributes) => (
              <div {...attributes}>{t.rich("text", { when: () => <Moment at={clock.now} time /> })}</div>
            )}
          />
        </div>
        {zone && <ClockControls clock={clock} zone={zone} />}
        <Progress clock={clock} className="rounded-full" />
      </Popover.Content>
    </Popover>
  );
}
