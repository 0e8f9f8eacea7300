import { dehydrate, QueryClient, type QueryKey, type QueryMeta } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { HydrateQueries } from "@/components/shell/hydrate-queries";
import type { Read } from "@/lib/client/read";
import { readRoute } from "./own-api";
import { routes } from "./routes";
import { currentMode, currentSession, onPhone } from "./session";

export interface Query {
  queryKey: QueryKey;
  meta?: QueryMeta;
}

export type QueryOf<Data> = Query & { queryFn?: (context: never) => Data | Promise<Data> };

/** Runs a query and returns its data; undefined if it failed. */
type RunQuery = <Data>(query: QueryOf<Data>) => Promise<Data | undefined>;

export type Load = (run: RunQuery) => Promise<unknown>;

interface FirstDataProps {
  load: Load;
  children: ReactNode;
}

/**
 * Runs the page's first queries on the server through the API's own GETs, so that the first HTML has the data.
 * The browser repeats a query that fails here and shows its error.
 */
export async function FirstData({ load, children }: FirstDataProps) {
  const session = await currentSession();
  if (!session) return children;
  const { businessId, userId } = session;
  const place = { mode: await currentMode(), businessId, userId };
  const client = new QueryClient();
  /** Thrown below: a failed query alone would only be repeated by the browser. */
  let missing: Error | undefined;
  const read: Read = (endpoint, options) => {
    const get = routes[endpoint.path];
    if (get) return readRoute(get, endpoint, options);
    missing = new Error(`app/(dashboard)/routes.ts has no ${endpoint.path}`);
    throw missing;
  };
  const run: RunQuery = async ({ queryKey, meta }) => {
    const queryFn = () => {
      if (!meta?.load) throw new Error("The query has no load");
      return meta.load(read);
    };
    await client.prefetchQuery({ queryKey, retry: false, queryFn });
    return client.getQueryData(queryKey);
  };
  await load(run);
  if (missing) throw missing;
  return (
    <HydrateQueries place={place} onPhone={await onPhone()} state={dehydrate(client)}>
      {children}
    </HydrateQueries>
  );
}
