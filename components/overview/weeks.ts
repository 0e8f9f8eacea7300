import type { Overview } from "@/lib/resources/reports/contract";

/** Whether the chart has a bar for each week. */
export const isByWeeks = ({ from, to }: Pick<Overview["period"], "from" | "to">): boolean =>
  Date.parse(to) - Date.parse(from) > 91 * 86_400_000;
