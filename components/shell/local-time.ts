import { periodStart, wallTime } from "@/lib/periods/calendar";

/** An instant as a date and time field has it, by a time zone's clocks: "2027-01-31T00:00". */
export const toField = (instant: string, timezone: string): string =>
  wallTime(new Date(instant), timezone).slice(0, 16);

/** The instant that a date and time field has; a text that is no time comes back as it is, for the contract to refuse. */
export function fromField(local: string, timezone: string): string {
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) ? `${local}:00` : local;
  try {
    return periodStart({ anchor: whole, timezone, frequency: "daily" }, 0).toISOString();
  } catch {
    return local;
  }
}
