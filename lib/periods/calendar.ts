import { tzOffset } from "@date-fns/tz";
import type { frequencies } from "@/lib/resources/packages/contract";

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
  const wall = wallStart({ anchor, frequency }, n).getTime();
  // At most one clock change lies within two days; before it and after it the wall time is another instant each.
  const before = wall - offset(timezone, wall - day);
  const after = wall - offset(timezone, wall + day);
  const shows = (instant: number): boolean => instant + offset(timezone, instant) === wall;
  // By the clock from before it, a time that comes twice is the first, and one that is skipped moves on.
  return new Date(before === after || shows(before) || !shows(after) ? before : after);
}

const day = 86_400_000;

/** What was asked before, by zone and quarter of an hour: clocks change at no other times. */
const offsets = new Map<string, number>();

/** How far a zone's wall clocks are ahead of UTC at an instant, in milliseconds. */
function offset(timezone: string, instant: number): number {
  const key = `${timezone} ${Math.floor(instant / 900_000)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const found = tzOffset(timezone, new Date(instant)) * 60_000;
  if (offsets.size >= 20_000) offsets.clear();
  offsets.set(key, found);
  return found;
}

/** The day on which period `n` begins by its own zone's calendar, YYYY-MM-DD: much cheaper than the instant. */
export function periodDay(schedule: Pick<Schedule, "anchor" | "frequency">, n: number): string {
  return wallStart(schedule, n).toISOString().slice(0, 10);
}

/** What the wall clock shows when period `n` begins, as if the zone were UTC, so that no clock change touches the day. */
function wallStart({ anchor, frequency }: Pick<Schedule, "anchor" | "frequency">, n: number): Date {
  const parts = wall.exec(anchor)?.slice(1).map(Number);
  if (!parts || !Number.isInteger(n) || n < 0) throw new RangeError(`No period ${n} from ${anchor}.`);
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const step = steps[frequency];
  const then =
    "months" in step ? monthsOn(year, month - 1 + n * step.months, day) : utc(year, month - 1, day + n * step.days);
  then.setUTCHours(hours, minutes, seconds);
  return then;
}

const utc = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day));

/** A day of a month, or the month's last. */
function monthsOn(year: number, month: number, day: number): Date {
  return utc(year, month, Math.min(day, utc(year, month + 1, 0).getUTCDate()));
}

/** What the wall clock of a zone shows at an instant, to the second: the anchor of a subscription that begins then. */
export const wallTime = (at: Date, timezone: string): string =>
  new Date(at.getTime() + offset(timezone, at.getTime())).toISOString().slice(0, 19);

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
