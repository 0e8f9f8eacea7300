import type { FilterOf, Filters } from "@/components/ui/list/filter";
import { withDays } from "@/components/ui/list/ranges";
import { addDays } from "@/lib/core/days";
import { toCents } from "@/lib/core/typed-amount";
import { fromField } from "./local-time";

/**
 * Converts ranges and days to instants, and typed amounts to cents. Leaves out amounts that it cannot read.
 * @param today YYYY-MM-DD in `zone`, the business's time zone
 */
export function listQuery<F extends Filters>(
  filters: F,
  filter: FilterOf<F>,
  zone: string,
  today: string,
): FilterOf<F> {
  const sent = Object.entries(withDays(filter as Record<string, string>, today)).filter(
    ([name]) => filters[name]?.as !== "page",
  );
  const read = (name: string, value: string): string | null => {
    const as = filters[name]?.as;
    if (as === "amount") return toCents(value);
    if (as !== "date") return value;
    return name.endsWith("_to") ? lastInstant(value, zone) : fromField(`${value}T00:00`, zone);
  };
  const values = sent.map(([name, value]) => [name, read(name, value)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== null)) as FilterOf<F>;
}

/** The last microsecond of a day: the API's bounds are inclusive. */
function lastInstant(day: string, zone: string): string {
  const end = new Date(Date.parse(fromField(`${addDays(day, 1)}T00:00`, zone)) - 1).toISOString();
  return end.replace("999Z", "999999Z");
}
