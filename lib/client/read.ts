import { type CallOptions, call } from "@/lib/client/call";
import type { Endpoint } from "@/lib/http/endpoint";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { endpoint?: Endpoint; options?: { id?: string; query?: Record<string, unknown> } };
  }
}

type ReadOptions<E extends Endpoint> = Pick<CallOptions<E>, "id" | "query">;

/**
 * The part of a query's options that asks the API: the browser asks by `queryFn`, the server asks the route's own GET for
 * what `meta` names (app/(dashboard)/first-rows.tsx).
 */
export function read<const E extends Endpoint>(endpoint: E, options: ReadOptions<E> = {}) {
  return {
    queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, { ...options, signal }),
    meta: { endpoint, options },
  };
}
