import type { Endpoint } from "@/lib/http/endpoint";
import { type CallOptions, call } from "./call";
import type { ResultOf } from "./result";

type ReadOptions<E extends Endpoint> = Pick<CallOptions<E>, "id" | "query">;

/** Calls a GET: the browser over the network, the server in its own process (app/(dashboard)/first-data.tsx). */
export type Read = <const E extends Endpoint>(endpoint: E, options?: ReadOptions<E>) => Promise<ResultOf<E>>;

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: { load?: (read: Read) => Promise<unknown> };
  }
}

/** A query's options for data of one or more GETs. The browser calls `queryFn`, the server `meta.load`. */
export function readWith<Data>(load: (read: Read) => Promise<Data>) {
  return {
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      load((endpoint, options) => call(endpoint, { ...options, signal })),
    meta: { load },
  };
}

/** A query's options for the data of one GET. */
export const read = <const E extends Endpoint>(endpoint: E, options: ReadOptions<E> = {}) =>
  readWith((read) => read(endpoint, options));
