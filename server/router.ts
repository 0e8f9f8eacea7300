import type { Params, RouteHandler } from "@/lib/http/reply";

export interface Route {
  /** In the folders' notation: /api/payment-links/[id] */
  path: string;
  module: Record<string, unknown>;
}

export interface Match {
  route: Route;
  params: Params;
}

/** What the segments so far can be followed by. */
interface Place {
  route?: Route;
  fixed: Map<string, Place>;
  named?: { name: string; place: Place };
  rest?: { name: string; route: Route };
}

const newPlace = (): Place => ({ fixed: new Map() });

/** Finds the route of a path by the framework's own rules: a fixed segment before [name], [name] before [...name]. */
export function createRouter(routes: Route[]): (segments: string[]) => Match | null {
  const start = newPlace();
  for (const route of routes) {
    let place = start;
    for (const segment of route.path.split("/").slice(1)) {
      if (segment.startsWith("[...")) place.rest = { name: segment.slice(4, -1), route };
      else place = segment.startsWith("[") ? named(place, segment.slice(1, -1)) : fixed(place, segment);
    }
    if (!route.path.includes("[...")) place.route = route;
  }
  return (segments) => find(start, segments, 0);
}

function named(place: Place, name: string): Place {
  place.named ??= { name, place: newPlace() };
  if (place.named.name !== name) throw new Error(`Two routes name the same segment: ${place.named.name}, ${name}.`);
  return place.named.place;
}

function fixed(place: Place, segment: string): Place {
  const next = place.fixed.get(segment) ?? newPlace();
  place.fixed.set(segment, next);
  return next;
}

function find(place: Place, segments: string[], at: number): Match | null {
  const segment = segments[at];
  if (segment === undefined) return place.route ? { route: place.route, params: {} } : null;
  if (segment === "") return null;
  const next = place.fixed.get(segment);
  const match = next && find(next, segments, at + 1);
  if (match) return match;
  const { named, rest } = place;
  const below = named && find(named.place, segments, at + 1);
  if (below) {
    below.params[named.name] = segment;
    return below;
  }
  return rest ? { route: rest.route, params: { [rest.name]: segments.slice(at) } } : null;
}

/** The function that a route exports for a method. HEAD falls back to GET, as in the framework. */
export function handlerOf({ module }: Route, method: string): RouteHandler | null {
  const handler = module[method] ?? (method === "HEAD" ? module.GET : undefined);
  return typeof handler === "function" ? (handler as RouteHandler) : null;
}
