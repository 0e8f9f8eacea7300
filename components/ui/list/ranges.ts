import { addDays } from "@/lib/core/days";

type Days = [from: string, to: string];

/** The ranges of days that people often ask for, each inclusive, from today (YYYY-MM-DD in the business's time zone). */
export const ranges = {
  today: (today): Days => [today, today],
  yesterday: (today): Days => [addDays(today, -1), addDays(today, -1)],
  week: (today): Days => [addDays(today, -6), today],
  days30: (today): Days => [addDays(today, -29), today],
  month: (today): Days => [firstOfMonth(today), today],
  lastMonth: (today): Days => {
    const last = addDays(firstOfMonth(today), -1);
    return [firstOfMonth(last), last];
  },
} satisfies Record<string, (today: string) => Days>;

const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;

export type RangeName = keyof typeof ranges;

export const rangeNames = Object.keys(ranges) as RangeName[];

export const isRangeName = (value: string): value is RangeName => Object.hasOwn(ranges, value);

/** The times whose days may be a range. The address keeps its name as the first day ("created_from=week"). */
export const rangeKinds = ["created", "ended"] as const;
export type RangeKind = (typeof rangeKinds)[number];

type Filter = Record<string, string | undefined>;

/** The range of a time; undefined if the filter has days, or none. */
export function rangeOf(filter: Filter, kind: RangeKind): RangeName | undefined {
  const name = filter[`${kind}_from`];
  return name !== undefined && isRangeName(name) ? name : undefined;
}

/** The time whose range this filter names: `created_from` -> "created". */
export const rangeKindOf = (name: string): RangeKind | undefined => rangeKinds.find((kind) => name === `${kind}_from`);

/** A filter whose ranges have become days, so that a saved view or a bookmark of a range moves with the calendar. */
export function withDays<F extends Filter>(filter: F, today: string): F {
  const days: Filter = { ...filter };
  for (const kind of rangeKinds) {
    const range = rangeOf(filter, kind);
    if (range) [days[`${kind}_from`], days[`${kind}_to`]] = ranges[range](today);
  }
  return days as F;
}
