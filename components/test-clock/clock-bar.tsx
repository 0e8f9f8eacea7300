"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Popover } from "@cloudflare/kumo/components/popover";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { ClockIcon } from "@phosphor-icons/react/dist/ssr/Clock";
import { Moment, momentWords } from "@/components/shell/moment";
import { isAhead, useArrival, useTestClock, useTimeZone } from "@/lib/test-clock/queries";
import { AdvanceClock } from "./advance-clock";
import { Progress } from "./progress";

/** What the test clock shows, as long as it is ahead or on its way. It also tells the rest of the page that it arrived. */
export function ClockBar({ canWrite }: { canWrite: boolean }) {
  const { data: clock } = useTestClock();
  const zone = useTimeZone() ?? "UTC";
  const toasts = useKumoToastManager();
  useArrival(clock, ({ now }) => toasts.add({ title: `The test clock shows ${momentWords(now, zone, true)}` }));
  if (!clock || (clock.status === "ready" && !isAhead(clock))) return null;
  return (
    <div className="relative flex h-9 items-center gap-2 bg-kumo-warning-tint px-4 text-sm text-(--ink-warning) md:px-6">
      <ClockIcon size={15} weight="bold" className="shrink-0" aria-hidden />
      <p className="min-w-0 truncate">
        Test clock:{" "}
        {clock.advancing_to ? (
          <>
            advancing to <Moment at={clock.advancing_to} time />
          </>
        ) : (
          <b className="font-semibold">
            <Moment at={clock.now} time />
          </b>
        )}
      </p>
      {canWrite && (
        <Popover>
          <Popover.Trigger
            render={
              <Button variant="ghost" size="sm" className="ml-auto !text-inherit" aria-label="Advance the test clock">
                Advance
              </Button>
            }
          />
          <AdvanceClock clock={clock} />
        </Popover>
      )}
      <Progress clock={clock} className="absolute inset-x-0 bottom-0" />
    </div>
  );
}
