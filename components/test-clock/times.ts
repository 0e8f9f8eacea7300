import { type Frequency, periodStart, wallTime } from "@/lib/periods/calendar";

export const steps = ["daily", "weekly", "monthly"] as const satisfies Frequency[];

/** One step on from an instant, by the calendar of a time zone: a month from 31 January is 28 February. */
export const stepFrom = (now: string, timezone: string, frequency: Frequency): string =>
  periodStart({ anchor: wallTime(new Date(now), timezone), timezone, frequency }, 1).toISOString();

/** What a browser's field holds ("2027-01-31T00:00") for an instant, and the other way round, by a time zone's clocks. */
export const toField = (instant: string, timezone: string): string =>
  wallTime(new Date(instant), timezone).slice(0, 16);

export function fromField(local: string, timezone: string): string {
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) ? `${local}:00` : local;
  try {
    return periodStart({ anchor: whole, timezone, frequency: "daily" }, 0).toISOString();
  } catch {
    return local; // the contract says what is wrong with it
  }
}
