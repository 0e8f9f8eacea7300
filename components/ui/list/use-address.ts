import { usePathname, useSearchParams } from "next/navigation";

type How = "push" | "replace";

type Shown = Record<string, string | undefined>;

export interface ListAddress<Filter extends Shown = Shown> {
  filter: Filter;
  show: (filter: Filter, how: How) => void;
  /** The day in the business's time zone, YYYY-MM-DD, for ranges of days; lists without them have none. */
  today?: string;
}

/** Keeps the list's state in the address, so that Back, reload and shared links work. */
export function useAddress<Filter extends Shown>(read: (params: URLSearchParams) => Filter): ListAddress<Filter> {
  const path = usePathname();
  const filter = read(new URLSearchParams(useSearchParams()));

  function show(next: Filter, how: How): void {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(next)) if (value) params.set(name, value);
    const address = params.size > 0 ? `${path}?${params}` : path;
    if (how === "push") {
      window.history.pushState(null, "", address);
      window.scrollTo({ top: 0 });
    } else window.history.replaceState(null, "", address);
  }

  return { filter, show };
}
