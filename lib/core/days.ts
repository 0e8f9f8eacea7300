/** The last day of the form YYYY-MM-DD. */
const lastDayMs = Date.parse("9999-12-31");

/** The day before or after by a number of days: "2026-03-01", -1 -> "2026-02-28". Both are YYYY-MM-DD, at most 9999-12-31. */
export const addDays = (day: string, days: number): string =>
  new Date(Math.min(Date.parse(day) + days * 86_400_000, lastDayMs)).toISOString().slice(0, 10);
