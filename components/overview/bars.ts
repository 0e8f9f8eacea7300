import { addDays } from "@/lib/core/days";
import type { Overview } from "@/lib/resources/reports/contract";
import { daysIn } from "./shown";
import { isByWeeks } from "./weeks";

export interface Bar {
  /** Different days in a bar for a week. */
  from: string;
  to: string;
  collected: number;
  count: number;
  refunded: number;
}

interface Days {
  from: string;
  to: string;
  /** Of one currency. */
  days: Overview["days"];
}

/** A bar for each day, also without payments; in long periods for each week. The last bar is a whole week. */
export function barsOf({ from, to, days }: Days): Bar[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const all = Array.from({ length: daysIn({ from, to }) }, (_, day) => addDays(from, day));
  const size = isByWeeks({ from, to }) ? 7 : 1;
  const bars: Bar[] = [];
  for (let end = all.length % size || size; end <= all.length; end += size) {
    const group = all.slice(Math.max(end - size, 0), end);
    const sum = (key: "collected_cents" | "collected_count" | "refunded_cents") =>
      group.reduce((total, day) => total + (known.get(day)?.[key] ?? 0), 0);
    bars.push({
      ...{ from: group[0] ?? from, to: group.at(-1) ?? to },
      ...{ collected: sum("collected_cents"), count: sum("collected_count"), refunded: sum("refunded_cents") },
    });
  }
  return bars;
}

/** A round number, at least as much and at most half as much again, so that the bars fill the chart. */
export function roundUp(cents: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(cents, 100)));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].map((factor) => factor * ten).find((value) => value >= cents) ?? cents;
}
