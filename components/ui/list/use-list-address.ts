import { usePathname, useSearchParams } from "next/navigation";
import { type FilterOf, type Filters, readFilter } from "./filter";

export type How = "push" | "replace";

type Shown = Record<string, string | undefined>;

export interface ListAddress<Filter extends Shown = Shown> {
  filter: Filter;
  show: (filter: Filter, how: How) => void;
}

/** What the page's address says, and how to change it, so that Back, reload and a shared address work. */
export function useAddress<Filter extends Shown>(read: (params: URLSearchParams) => Filter): ListAddress<Filter> {
  const path = usePathname();
  const filter = read(new URLSearchParams(useSearchParams()));

  function show(next: Filter, how: How): void {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(next)) if (value) params.set(name, value);
    window.history[how === "push" ? "pushState" : "replaceState"](
      null,
      "",
      params.size > 0 ? `${path}?${params}` : path,
    );
    if (how === "push") window.scrollTo({ top: 0 });
  }

  return { filter, show };
}

/** The filters of a list in the page's address. */
export const useListAddress = <F extends Filters>(filters: F): ListAddress<FilterOf<F>> =>
  useAddress((params) => readFilter(filters, params));
