/** A day, moved by days: "2026-03-01", -1 -> "2026-02-28". */
function moved(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The ranges of days that people often ask for, each inclusive. @param today YYYY-MM-DD in the business's time zone */
export function rangesUntil(today: string): { name: RangeName; from: string; to: string }[] {
  const month = `${today.slice(0, 8)}01`;
  const lastMonth = moved(month, -1);
  return [
    { name: "today", from: today, to: today },
    { name: "yesterday", from: moved(today, -1), to: moved(today, -1) },
    { name: "week", from: moved(today, -6), to: today },
    { name: "days30", from: moved(today, -29), to: today },
    { name: "month", from: month, to: today },
    { name: "lastMonth", from: `${lastMonth.slice(0, 8)}01`, to: lastMonth },
  ];
}

export const rangeNames = ["today", "yesterday", "week", "days30", "month", "lastMonth"] as const;
export type RangeName = (typeof rangeNames)[number];

export const isRangeName = (value: string): value is RangeName => rangeNames.some((name) => name === value);

/**
 * A filter whose ranges have become days. The address keeps a range by its name, as its first day ("created_from=week"), so that a
 * saved view or a bookmark moves with the calendar.
 */
export function withDays<Filter extends Record<string, string | undefined>>(filter: Filter, today: string): Filter {
  const days: Record<string, string | undefined> = { ...filter };
  for (const [first, value] of Object.entries(filter)) {
    const range = first.endsWith("_from") && rangesUntil(today).find(({ name }) => name === value);
    if (range) Object.assign(days, { [first]: range.from, [first.replace(/_from$/, "_to")]: range.to });
  }
  return days as Filter;
}
