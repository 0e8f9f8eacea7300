import { addDays } from "@/lib/core/days";
import type { Filters } from "./filter";

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

/**
 * A filter whose ranges have become days. The address keeps a range by its name, as its first day ("created_from=week"), so that a
 * saved view or a bookmark moves with the calendar.
 */
export function withDays<Filter extends Record<string, string | undefined>>(
  filters: Filters,
  filter: Filter,
  today: string,
): Filter {
  const days: Record<string, string | undefined> = { ...filter };
  for (const [first, value] of Object.entries(filter)) {
    if (filters[first]?.as !== "date" || !value || !isRangeName(value)) continue;
    [days[first], days[first.replace(/_from$/, "_to")]] = ranges[value](today);
  }
  return days as Filter;
}
