const base = "http://localhost";

/**
 * The path to open after the sign-in, or "/". Attackers can spell another site's address in many ways (`//evil`,
 * `/\evil`, a tab in between), so this parses the value as a browser would and accepts only paths of this origin.
 */
export function safeNext(value: unknown): string {
  if (typeof value !== "string" || value.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(value)) return "/";
  if (!URL.canParse(value, base)) return "/";
  const url = new URL(value, base);
  if (url.origin !== base || url.pathname.startsWith("//")) return "/";
  if (/^\/(api|login)(\/|$)/.test(url.pathname)) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}

export function loginPath(path: string): string {
  const next = safeNext(path);
  return next === "/" ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export async function queryOf(searchParams: SearchParams): Promise<URLSearchParams> {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(await searchParams))
    for (const value of [values ?? []].flat()) query.append(name, value);
  return query;
}

export async function addressOf(path: string, searchParams: SearchParams): Promise<string> {
  const query = await queryOf(searchParams);
  return query.size > 0 ? `${path}?${query}` : path;
}
