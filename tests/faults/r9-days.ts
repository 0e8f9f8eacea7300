/** Compares one share of the product's calendar with the model, in a process with its own system time zone. */
import { periodStart, type Schedule, wallTime } from "@/lib/periods/calendar";
import { anchorOf, dayNumber, dayOf, type Frequency, instantOf, lengths, nthDay, readZone } from "./r9-model";

export interface Share {
  zone: string;
  /** Every `step`-th day of 2024 to 2032; 0 for only the days around the zone's clock changes. */
  step: number;
  /** Seconds after midnight. */
  times: number[];
  how: keyof typeof calendars;
}

export interface Verdict {
  days: number;
  dates: number;
  wrong: number;
  /** The first difference. */
  example: string | null;
}

type Dates = (schedule: Schedule, count: number) => Date[];

const counted = (count: number) => Array.from({ length: count }, (_, n) => n);

const calendars = {
  product: (schedule, count) => counted(count).map((n) => periodStart(schedule, n)),
  /** A wrong calendar: computes each date from the previous one, so that a clamped day stays clamped. */
  chained: (schedule, count) => {
    const dates = [periodStart(schedule, 0)];
    for (let last = dates[0]; last && dates.length < count; dates.push(last))
      last = periodStart({ ...schedule, anchor: wallTime(last, schedule.timezone) }, 1);
    return dates;
  },
  /** A wrong calendar: computes in UTC. */
  zoneless: (schedule, count) => {
    const anchor = wallTime(periodStart(schedule, 0), "UTC");
    return counted(count).map((n) => periodStart({ ...schedule, anchor, timezone: "UTC" }, n));
  },
} satisfies Record<string, Dates>;

const periods = 60;
const first = dayNumber([2024, 1, 1]);
const last = dayNumber([2032, 12, 31]);
const second = (day: number) => day * 86_400;

function* everyDay(step: number): Generator<number> {
  for (let day = first; day <= last; day += step) yield day;
}

function compare({ zone: name, step, times, how }: Share): Verdict {
  const verdict: Verdict = { days: 0, dates: 0, wrong: 0, example: null };
  const check = (anchorDay: number, time: number, frequency: Frequency, count: number) => {
    const anchor = anchorOf(anchorDay, time);
    for (const [n, date] of calendars[how]({ anchor, timezone: name, frequency }, count).entries()) {
      const wanted = instantOf(zone, nthDay(dayOf(anchorDay), frequency, n), time) * 1000;
      verdict.dates++;
      if (date.getTime() === wanted) continue;
      verdict.wrong++;
      const found = `${date.toISOString()}, not ${new Date(wanted).toISOString()}`;
      verdict.example ??= `${frequency} ${n} from ${anchor} ${name}: ${found}`;
    }
  };
  const end = second(step > 0 ? last + periods * 366 : last + 2);
  const zone = readZone(name, second(first - 2), end);
  if (step === 0) {
    for (const [i, change] of zone.changes.entries()) {
      const [before = 0, after = 0] = zone.offsets.slice(i);
      // From just before the skipped or repeated time until just after it.
      const wall = change + Math.min(before, after);
      const length = Math.abs(after - before);
      for (const around of [-1, 0, 1, length / 2, length - 1, length, length + 1]) {
        const day = Math.floor((wall + around) / 86_400);
        check(day - 1, wall + around - second(day), "daily", 2);
      }
      verdict.days++;
    }
    return verdict;
  }
  for (const day of everyDay(step)) {
    for (const time of times)
      for (const frequency of Object.keys(lengths) as Frequency[]) check(day, time, frequency, periods);
    verdict.days++;
  }
  return verdict;
}

const shares: Share[] = JSON.parse(process.argv[2] ?? "[]");
console.log(JSON.stringify(shares.map(compare)));
