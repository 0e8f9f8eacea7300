import { ranges } from "@/components/ui/list/ranges";

export const presets = [
  "today",
  "yesterday",
  "thisMonth",
  "lastMonth",
  "thisQuarter",
  "lastQuarter",
  "thisYear",
  "lastYear",
] as const;
export type Preset = (typeof presets)[number];

/** The length of each period in months, and how many periods ago it is. */
const shapes: Record<Exclude<Preset, "today" | "yesterday">, { months: number; back: number }> = {
  thisMonth: { months: 1, back: 0 },
  lastMonth: { months: 1, back: 1 },
  thisQuarter: { months: 3, back: 0 },
  lastQuarter: { months: 3, back: 1 },
  thisYear: { months: 12, back: 0 },
  lastYear: { months: 12, back: 1 },
};

/** The first and last day (YYYY-MM-DD) of a day or of a period of whole months. A period that is not over ends today. */
export function daysOf(preset: Preset, today: string): { from: string; to: string } {
  if (preset === "today" || preset === "yesterday") {
    const [from, to] = ranges[preset](today);
    return { from, to };
  }
  const { months, back } = shapes[preset];
  const [year = 0, month = 1] = today.split("-").map(Number);
  const first = Math.floor((month - 1) / months) * months - back * months;
  const day = (of: number, on: number) => new Date(Date.UTC(year, of, on)).toISOString().slice(0, 10);
  const to = day(first + months, 0);
  return { from: day(first, 1), to: to < today ? to : today };
}
