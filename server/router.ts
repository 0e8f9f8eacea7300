type Handler = (request: Request, context: { params: Promise<Record<string, string | string[]>> }) => Promise<Response>;

export interface Route {
  /** In the folders' notation: /api/payment-links/[id] */
  path: string;
  module: Record<string, unknown>;
}

export interface Match {
  route: Route;
  params: Record<string, string | string[]>;
}

interface Compiled {
  route: Route;
  segments: string[];
}

/** Finds the route of a path by the framework's own rules: a fixed segment before [name], [name] before [...name]. */
export function createRouter(routes: Route[]): (segments: string[]) => Match | null {
  const compiled: Compiled[] = routes
    .map((route) => ({ route, segments: route.path.split("/").slice(1) }))
    .sort((a, b) => rank(a.segments).localeCompare(rank(b.segments)));
  return (segments) => {
    for (const { route, segments: wanted } of compiled) {
      const params = paramsOf(wanted, segments);
      if (params) return { route, params };
    }
    return null;
  };
}

const rank = (segments: string[]): string =>
  segments.map((segment) => (segment.startsWith("[...") ? "2" : segment.startsWith("[") ? "1" : "0")).join("");

function paramsOf(wanted: string[], given: string[]): Match["params"] | null {
  const params: Match["params"] = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index];
    if (value === undefined || value === "") return null;
    if (segment.startsWith("[...")) {
      params[segment.slice(4, -1)] = given.slice(index);
      return params;
    }
    if (segment.startsWith("[")) params[segment.slice(1, -1)] = value;
    else if (segment !== value) return null;
  }
  return wanted.length === given.length ? params : null;
}

/** The function that a route exports for a method. HEAD falls back to GET, as in the framework. */
export function handlerOf({ module }: Route, method: string): Handler | null {
  const handler = module[method] ?? (method === "HEAD" ? module.GET : undefined);
  return typeof handler === "function" ? (handler as Handler) : null;
}
