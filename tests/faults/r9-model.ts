/**
 * An independent calendar in whole numbers, without the product's code. Days are counted from 1970-01-01. A zone is the
 * list of its clock changes, read from Intl.
 */

type Day = readonly [year: number, month: number, day: number];

const daySeconds = 86_400;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

function lengthOf(year: number, month: number): number {
  return (monthLengths[month - 1] ?? Number.NaN) + (month === 2 && isLeap(year) ? 1 : 0);
}

/** Day numbers of 1 January, by year. */
const newYears: number[] = [];
for (let year = 1970, days = 0; year < 2200; days += isLeap(year) ? 366 : 365, year++) newYears[year] = days;

/** Days since 1970-01-01. */
export function dayNumber([year, month, day]: Day): number {
  let days = (newYears[year] ?? Number.NaN) + day - 1;
  for (let before = 1; before < month; before++) days += lengthOf(year, before);
  return days;
}

export function dayOf(number: number): Day {
  let year = 1970 + Math.floor(number / 366);
  while ((newYears[year + 1] ?? Number.NaN) <= number) year++;
  let rest = number - (newYears[year] ?? Number.NaN);
  let month = 1;
  while (rest >= lengthOf(year, month)) rest -= lengthOf(year, month++);
  return [year, month, rest + 1];
}

/** Lengths of periods, in days or months. */
export const lengths = {
  daily: [1, 0],
  weekly: [7, 0],
  monthly: [0, 1],
  quarterly: [0, 3],
  semiannual: [0, 6],
  yearly: [0, 12],
} as const satisfies Record<string, readonly [days: number, months: number]>;

export type Frequency = keyof typeof lengths;

/** The day number on which period n begins. */
export function nthDay(first: Day, frequency: Frequency, n: number): number {
  const [days, months] = lengths[frequency];
  if (days > 0) return dayNumber(first) + n * days;
  const [year, month, day] = first;
  const count = year * 12 + (month - 1) + n * months;
  const then = [Math.floor(count / 12), (count % 12) + 1] as const;
  return dayNumber([...then, Math.min(day, lengthOf(...then))]);
}

export interface Zone {
  name: string;
  /** Seconds since 1970 at which the clock changes, ascending. */
  changes: number[];
  /** Seconds ahead of UTC: before the first change, then after each change. */
  offsets: number[];
}

/** Reads a zone's clock changes between two instants in seconds. Changes are at least a day apart. */
export function readZone(name: string, from: number, to: number): Zone {
  const show = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const shown = (at: number): number => {
    const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] =
      show
        .format(at * 1000)
        .match(/\d+/g)
        ?.map(Number) ?? [];
    return dayNumber([year, month, day]) * daySeconds + hour * 3_600 + minute * 60 + second - at;
  };
  const zone: Zone = { name, changes: [], offsets: [shown(from)] };
  for (let at = from, before = shown(from); at < to; at += daySeconds) {
    const after = shown(at + daySeconds);
    if (after === before) continue;
    let [low, high] = [at, at + daySeconds];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (shown(middle) === before) low = middle;
      else high = middle;
    }
    zone.changes.push(high);
    zone.offsets.push(after);
    before = after;
  }
  return zone;
}

function offsetAt({ changes, offsets }: Zone, at: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return offsets[low] ?? Number.NaN;
}

/**
 * The instant in seconds at which a zone's clock shows a day and a time; the first of two. A skipped time moves forward
 * by the change, as a clock that was not changed would show it.
 */
export function instantOf(zone: Zone, day: number, timeOfDay: number): number {
  const wall = day * daySeconds + timeOfDay;
  // Offsets are shorter than a day, and a clock change has two of them.
  const before = offsetAt(zone, wall - daySeconds);
  const after = offsetAt(zone, wall + daySeconds);
  const found = [before, after].map((offset) => [wall - offset, offset] as const);
  const real = found.filter(([at, offset]) => offsetAt(zone, at) === offset).map(([at]) => at);
  return real.length > 0 ? Math.min(...real) : wall - before;
}

const two = (value: number) => String(value).padStart(2, "0");

/** A local day and time in the format of a subscription's anchor. */
export function anchorOf(day: number, timeOfDay: number): string {
  const [year, month, date] = dayOf(day);
  const clock = [timeOfDay / 3_600, (timeOfDay / 60) % 60, timeOfDay % 60].map((part) => two(Math.floor(part)));
  return `${year}-${two(month)}-${two(date)}T${clock.join(":")}`;
}
