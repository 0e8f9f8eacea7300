import { periodStart, wallTime } from "@/lib/periods/calendar";

/** The value of a date and time field: "2027-01-31T00:00" in the time zone. */
export const toField = (instant: string, timezone: string): string =>
  wallTime(new Date(instant), timezone).slice(0, 16);

/** The day in the time zone, YYYY-MM-DD. */
export const dayIn = (now: Date, timezone: string): string => wallTime(now, timezone).slice(0, 10);

/** The instant of a date and time field's value. Returns invalid text as it is, so that the contract refuses it. */
export function fromField(local: string, timezone: string): string {
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) ? `${local}:00` : local;
  try {
    return periodStart({ anchor: whole, timezone, frequency: "daily" }, 0).toISOString();
  } catch {
    return local;
  }
}
