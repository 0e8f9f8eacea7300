import type { Overview } from "@/lib/resources/reports/contract";

/** Whether a period is so long that a bar of its chart stands for a week. */
export const isByWeeks = ({ from, to }: Pick<Overview["period"], "from" | "to">): boolean =>
  Date.parse(to) - Date.parse(from) > 91 * 86_400_000;
