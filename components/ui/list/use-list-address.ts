import { usePathname, useSearchParams } from "next/navigation";

export type ListFilter = Partial<Record<string, string>>;
export type How = "push" | "replace";

/** A list's filter and cursor stand in the page's address, so that Back, reload and a shared address work. */
export function useListAddress<Filter extends ListFilter>(read: (params: URLSearchParams) => Filter) {
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

/** What an address says of status, words and page; what it cannot mean is left out. */
export function readCommon<Status extends string>(params: URLSearchParams, statuses: readonly Status[]) {
  const status = statuses.find((known) => known === params.get("status"));
  const q = params.get("q")?.slice(0, 200).trim();
  const cursor = params.get("cursor");
  return { ...(status && { status }), ...(q && { q }), ...(cursor && { cursor }) };
}
