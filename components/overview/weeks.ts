import type { Overview } from "@/lib/resources/reports/contract";

export const isByWeeks = ({ from, to }: Pick<Overview["period"], "from" | "to">): boolean =>
  Date.parse(to) - Date.parse(from) > 91 * 86_400_000;
