"use client";

import { onReach } from "@/components/ui/later";

/** The popover in which the clock of test mode is advanced: by a step, or to a date and time. */
export const AdvanceClock = onReach("dialog", () =>
  import("./advance-clock-opened").then(({ AdvanceClockOpened }) => AdvanceClockOpened),
);
