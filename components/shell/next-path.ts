const base = "http://localhost";

/**
 * Where to go after the sign-in: a path of ours, or the start page for anything else. Other sites' addresses hide in
 * many spellings (`//evil`, `/\evil`, a tab in between), so the value is read as a browser would and must stay with us.
 */
export function safeNext(value: unknown): string {
  if (typeof value !== "string" || value.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return "/";
  if (!URL.canParse(value, base)) return "/";
  const url = new URL(value, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  if (/^\/(api|login)(\/|$)/.test(url.pathname)) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The sign-in page that leads back to a path of ours. */
export function loginPath(path: string): string {
  const next = safeNext(path);
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** What the framework read of a page's query. */
export async function queryOf(searchParams: SearchParams): Promise<URLSearchParams> {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(await searchParams))
    for (const value of [values ?? []].flat()) query.append(name, value);
  return query;
}

/** A page's own address with its query, to come back to after the sign-in. */
export async function addressOf(path: string, searchParams: SearchParams): Promise<string> {
  const query = await queryOf(searchParams);
  return query.size > 0 ? `${path}?${query}` : path;
}
