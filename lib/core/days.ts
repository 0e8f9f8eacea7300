/** The day before or after by a number of days: "2026-03-01", -1 -> "2026-02-28". Both are YYYY-MM-DD. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
