import type { FilterOf, Filters } from "@/components/ui/list/filter";
import { toCents } from "@/lib/core/typed-amount";
import { fromField } from "./local-time";

/** Converts days to instants in the business's time zone, and typed amounts to cents. Leaves out amounts that it cannot read. */
export function listQuery<F extends Filters>(filters: F, filter: FilterOf<F>, zone: string): FilterOf<F> {
  const sent = Object.entries(filter).filter(([name]) => filters[name]?.as !== "page");
  const { created_from: from, created_to: to, ...rest } = Object.fromEntries(sent) as Record<string, string>;
  const nextDay = to && new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const end = nextDay && new Date(Date.parse(fromField(`${nextDay}T00:00`, zone)) - 1).toISOString();
  for (const [name, value] of Object.entries(rest)) {
    if (filters[name]?.as !== "amount") continue;
    const cents = toCents(value);
    if (cents === null) delete rest[name];
    else rest[name] = cents;
  }
  return {
    ...rest,
    ...(from && { created_from: fromField(`${from}T00:00`, zone) }),
    // The last microsecond of the day: the API's bounds are inclusive.
    ...(end && { created_to: end.replace("999Z", "999999Z") }),
  } as FilterOf<F>;
}
