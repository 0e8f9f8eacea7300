/** A day, moved by days: "2026-03-01", -1 -> "2026-02-28". */
function moved(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The ranges of days that people often ask for, each inclusive. @param today YYYY-MM-DD in the business's time zone */
export function rangesUntil(today: string) {
  const month = `${today.slice(0, 8)}01`;
  const lastMonth = moved(month, -1);
  return [
    { name: "today", from: today, to: today },
    { name: "yesterday", from: moved(today, -1), to: moved(today, -1) },
    { name: "week", from: moved(today, -6), to: today },
    { name: "days30", from: moved(today, -29), to: today },
    { name: "month", from: month, to: today },
    { name: "lastMonth", from: `${lastMonth.slice(0, 8)}01`, to: lastMonth },
  ] as const;
}
