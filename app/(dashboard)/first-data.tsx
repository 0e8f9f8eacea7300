import { dehydrate, QueryClient, type QueryKey, type QueryMeta } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { GET as getOwnBusinesses } from "@/app/api/account/businesses/route";
import { GET as getSavedViews } from "@/app/api/account/saved-views/route";
import { GET as getNamesOfCustomers } from "@/app/api/customers/names/route";
import { GET as getNotifications } from "@/app/api/notifications/route";
import { HydrateQueries } from "@/components/shell/hydrate-queries";
import type { Read } from "@/lib/client/read";
import { businessEndpoints } from "@/lib/resources/account/contract";
import { savedViewEndpoints } from "@/lib/resources/account/saved-views-contract";
import { customerEndpoints } from "@/lib/resources/customers/contract";
import { notificationEndpoints } from "@/lib/resources/notifications/contract";
import { type Get, readRoute } from "./own-api";
import { currentMode, currentSession, onPhone } from "./session";

export interface Query {
  queryKey: QueryKey;
  meta?: QueryMeta;
}

export type QueryOf<Data> = Query & { queryFn?: (context: never) => Data | Promise<Data> };

/** Runs a query and returns its data; undefined if it failed. */
type RunQuery = <Data>(query: QueryOf<Data>) => Promise<Data | undefined>;

/** By the path of their endpoint; a function alone answers every other query. */
export type Routes = Get | Record<string, Get>;

export type Load = (run: RunQuery) => Promise<unknown>;

/** Routes that the layout and all lists read. */
const commonRoutes: Record<string, Get> = {
  [businessEndpoints.list.path]: getOwnBusinesses,
  [notificationEndpoints.get.path]: getNotifications,
  [savedViewEndpoints.list.path]: getSavedViews,
  [customerEndpoints.names.path]: getNamesOfCustomers,
};

interface FirstDataProps {
  routes?: Routes;
  load: Load;
  children: ReactNode;
}

/**
 * Runs the page's first queries on the server through the API's own GETs, so that the first HTML has the data.
 * The browser repeats a query that fails here and shows its error.
 */
export async function FirstData({ routes = {}, load, children }: FirstDataProps) {
  const session = await currentSession();
  if (!session) return children;
  const { businessId, userId } = session;
  const place = { mode: await currentMode(), businessId, userId };
  const client = new QueryClient();
  const read: Read = (endpoint, options) => {
    const get = commonRoutes[endpoint.path] ?? (typeof routes === "function" ? routes : routes[endpoint.path]);
    if (!get) throw new Error(`No route reads ${endpoint.path}`);
    return readRoute(get, endpoint, options);
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
  return (
    <HydrateQueries place={place} onPhone={await onPhone()} state={dehydrate(client)}>
      {children}
    </HydrateQueries>
  );
}
