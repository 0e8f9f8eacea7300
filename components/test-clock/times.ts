import { type Frequency, periodStart, wallTime } from "@/lib/periods/calendar";

export const steps = ["daily", "weekly", "monthly"] as const satisfies Frequency[];

/** By the calendar: one month after 31 January is 28 February. */
export const stepFrom = (now: string, timezone: string, frequency: Frequency): string =>
  periodStart({ anchor: wallTime(new Date(now), timezone), timezone, frequency }, 1).toISOString();
