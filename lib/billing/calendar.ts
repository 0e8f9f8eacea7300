import { TZDate } from "@date-fns/tz";
import type { frequencies } from "@/lib/packages/contract";

export type Frequency = (typeof frequencies)[number];

/** When a subscription's periods begin: from the first one and nothing else. */
export interface Schedule {
  /** The first period's beginning, as the wall clock of `timezone` shows it: YYYY-MM-DDTHH:MM:SS. */
  anchor: string;
  /** IANA name. It is the subscription's own: a business that moves does not move what was agreed. */
  timezone: string;
  frequency: Frequency;
}

const steps: Record<Frequency, { days: number } | { months: number }> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  semiannual: { months: 6 },
  yearly: { months: 12 },
};

const wall = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})$/;

/**
 * The instant at which period `n` (from 0) begins: the anchor's day plus n steps, clamped to the month's end (31 January,
 * 28 February, 31 March), at the anchor's time of day. A time that a clock change skips moves on by what the clock is put
 * forward (02:30 becomes 03:30); of a time that comes twice, the first counts.
 * @throws RangeError for a malformed anchor or a negative n
 */
export function periodStart({ anchor, timezone, frequency }: Schedule, n: number): Date {
  const local = wallStart({ anchor, frequency }, n);
  return earliest(new TZDate(...local, timezone), local, timezone);
}

/** The day on which period `n` begins by its own zone's calendar, YYYY-MM-DD: much cheaper than the instant. */
export function periodDay(schedule: Pick<Schedule, "anchor" | "frequency">, n: number): string {
  const [year, month, day] = wallStart(schedule, n);
  return dayText(year, month + 1, day);
}

function wallStart({ anchor, frequency }: Pick<Schedule, "anchor" | "frequency">, n: number): Local {
  const parts = wall.exec(anchor)?.slice(1).map(Number);
  if (!parts || !Number.isInteger(n) || n < 0) throw new RangeError(`No period ${n} from ${anchor}.`);
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const step = steps[frequency];
  // On a calendar without a zone, so that no clock change touches the day.
  const then =
    "months" in step ? monthsOn(year, month - 1 + n * step.months, day) : utc(year, month - 1, day + n * step.days);
  return [then.getUTCFullYear(), then.getUTCMonth(), then.getUTCDate(), hours, minutes, seconds];
}

const utc = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day));

/** A day of a month, or the month's last. */
function monthsOn(year: number, month: number, day: number): Date {
  return utc(year, month, Math.min(day, utc(year, month + 1, 0).getUTCDate()));
}

type Local = readonly [year: number, month: number, day: number, hours: number, minutes: number, seconds: number];

/** The same wall time from before the clock was put back, if it shows the same: of a time that comes twice, the first. */
function earliest(found: TZDate, local: Local, timezone: string): Date {
  const dayBefore = new TZDate(found.getTime() - 86_400_000, timezone);
  const minutesBack = found.getTimezoneOffset() - dayBefore.getTimezoneOffset();
  const before = new TZDate(found.getTime() - minutesBack * 60_000, timezone);
  return new Date((minutesBack > 0 && sameWall(before, local) ? before : found).getTime());
}

function sameWall(date: TZDate, [year, month, day, hours, minutes, seconds]: Local): boolean {
  return (
    date.getFullYear() === year &&
    date.getMonth() === month &&
    date.getDate() === day &&
    date.getHours() === hours &&
    date.getMinutes() === minutes &&
    date.getSeconds() === seconds
  );
}

/** What the wall clock of a zone shows at an instant, to the second: the anchor of a subscription that begins then. */
export function wallTime(at: Date, timezone: string): string {
  const local = new TZDate(at.getTime(), timezone);
  const day = dayText(local.getFullYear(), local.getMonth() + 1, local.getDate());
  return `${day}T${two(local.getHours())}:${two(local.getMinutes())}:${two(local.getSeconds())}`;
}

const two = (value: number): string => String(value).padStart(2, "0");
const dayText = (year: number, month: number, day: number): string =>
  `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;

/** The first period, from `from` on, that begins at `at` or later: where a subscription goes on after a pause. */
export function periodFrom(schedule: Schedule, at: Date, from: number): number {
  let low = from;
  let step = 1;
  while (periodStart(schedule, low + step) < at) {
    low += step;
    step *= 2;
  }
  if (periodStart(schedule, low) >= at) return low;
  let high = low + step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (periodStart(schedule, middle) < at) low = middle;
    else high = middle;
  }
  return high;
}
