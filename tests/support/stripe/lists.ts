import type Stripe from "stripe";
import { badParameter, missing } from "./errors";

type Paging = Stripe.PaginationParams & { created?: number | Stripe.RangeQueryParam };

/** One page of the matching rows, newest first. A cursor must name an object of this account. */
export function page<T extends { id: string; created: number }>(
  all: ReadonlyMap<string, T>,
  params: Paging,
  url: string,
  keep: (row: T) => boolean = () => true,
): { object: "list"; data: T[]; has_more: boolean; url: string } {
  const newestFirst = [...all.values()].reverse().sort((a, b) => b.created - a.created);
  const { limit = 10, starting_after: after, ending_before: before, created } = params;
  if (after !== undefined && before !== undefined) {
    throw badParameter("Give only one of starting_after and ending_before.", "ending_before", "parameters_exclusive");
  }
  const at = (id: string, param: string) => {
    const index = newestFirst.findIndex((row) => row.id === id);
    if (index < 0) throw missing("object", id, param);
    return index;
  };
  const from = after === undefined ? 0 : at(after, "starting_after") + 1;
  const to = before === undefined ? newestFirst.length : at(before, "ending_before");
  const rows = newestFirst.slice(from, to).filter((row) => within(row.created, created) && keep(row));
  // `ending_before` returns the page next to the cursor.
  const data = before !== undefined && after === undefined ? rows.slice(-limit) : rows.slice(0, limit);
  return { object: "list", data, has_more: data.length < rows.length, url };
}

function within(moment: number, range: Paging["created"]): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return moment === range;
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = range;
  return moment > gt && moment >= gte && moment < lt && moment <= lte;
}
