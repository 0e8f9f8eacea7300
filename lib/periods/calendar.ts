import { tzOffset } from "@date-fns/tz";
import type { frequencies } from "@/lib/resources/packages/contract";

export type Frequency = (typeof frequencies)[number];

export interface Schedule {
  /** Start of the first period in local time of `timezone`: YYYY-MM-DDTHH:MM:SS. */
  anchor: string;
  /** IANA name, fixed when the subscription is created: a later change of the business's time zone has no effect. */
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
 * The instant at which period `n` (from 0) starts: the anchor's day plus n steps, at the anchor's time of day. A day
 * that the month lacks becomes its last day (31 January, 28 February, 31 March). A local time that a clock change skips
 * moves forward by the change (02:30 becomes 03:30). Of a local time that occurs twice, the first counts.
 * @throws RangeError for a malformed anchor or a negative n
 */
export function periodStart({ anchor, timezone, frequency }: Schedule, n: number): Date {
  const wall = wallStart({ anchor, frequency }, n).getTime();
  // At most one clock change lies within two days. The local time maps to one instant before it and one after it.
  const before = wall - offset(timezone, wall - day);
  const after = wall - offset(timezone, wall + day);
  const shows = (instant: number): boolean => instant + offset(timezone, instant) === wall;
  // `before` is the first of a repeated time, and the shifted instant of a skipped time.
  return new Date(before === after || shows(before) || !shows(after) ? before : after);
}

const day = 86_400_000;

/** Cache by zone and quarter of an hour, since clocks change only at quarter hours. */
const offsets = new Map<string, number>();

/** Offset from UTC in ms. */
function offset(timezone: string, instant: number): number {
  const key = `${timezone} ${Math.floor(instant / 900_000)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const found = tzOffset(timezone, new Date(instant)) * 60_000;
  if (offsets.size >= 20_000) offsets.clear();
  offsets.set(key, found);
  return found;
}

/** The local date on which period `n` starts, YYYY-MM-DD. Much cheaper than `periodStart`. */
export function periodDay(schedule: Pick<Schedule, "anchor" | "frequency">, n: number): string {
  return wallStart(schedule, n).toISOString().slice(0, 10);
}

/** The local start of period `n` as if the zone were UTC, so that no clock change shifts the day. */
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

function monthsOn(year: number, month: number, day: number): Date {
  return utc(year, month, Math.min(day, utc(year, month + 1, 0).getUTCDate()));
}

/** Local time to the second, in the format of `Schedule.anchor`. */
export const wallTime = (at: Date, timezone: string): string =>
  new Date(at.getTime() + offset(timezone, at.getTime())).toISOString().slice(0, 19);

/**
 * The anchor of a new subscription.
 * @param dateChargeStart its package's, YYYY-MM-DD: without one, or if it has passed, the first period starts now
 */
export function firstAnchor(dateChargeStart: string | null, now: Date, timezone: string): string {
  const today = wallTime(now, timezone);
  const wanted = `${dateChargeStart}T00:00:00`;
  return dateChargeStart !== null && wanted > today ? wanted : today;
}

/** Index of the first period >= `from` that starts at or after `at`. Doubling steps, then a binary search. */
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

const dayMs = 86_400_000;

/** The start of the first period >= `from` that begins at least `days` days after `now`. */
export const startAfterNotice = (schedule: Schedule, from: number, now: Date, days: number): Date =>
  periodStart(schedule, periodFrom(schedule, new Date(now.getTime() + days * dayMs), from));
