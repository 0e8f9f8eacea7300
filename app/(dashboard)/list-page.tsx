import { redirect } from "next/navigation";
import type { ComponentType } from "react";
import { viewListAt } from "@/components/saved-views/lists";
import { listQuery } from "@/components/shell/list-query";
import { queryOf } from "@/components/shell/next-path";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { db } from "@/lib/core/db";
import type { Endpoint } from "@/lib/http/endpoint";
import { defaultViewQuery } from "@/lib/resources/account/saved-views";
import { openPage, type PageProps } from "./dashboard-page";
import { FirstData, type Query, type Routes } from "./first-data";
import { currentSession, currentTimeZone } from "./session";

interface ListPageOptions<F extends Filters> {
  filters: F;
  query: (filter: FilterOf<F>) => Query;
  get: Routes;
  /** Further queries of the page. */
  also?: Query[];
  endpoint?: Endpoint;
}

/** Not in dashboard-page.tsx, so that other pages do not load the script of tables. */
export const listPage = <F extends Filters>(path: string, Page: ComponentType, options: ListPageOptions<F>) =>
  async function ListPage({ searchParams }: PageProps) {
    const { filters, query, get, also = [], endpoint } = options;
    await openPage(path, searchParams, endpoint);
    const params = await queryOf(searchParams);
    const list = viewListAt(path);
    const session = list && params.size === 0 ? await currentSession() : null;
    const view = list && session ? await defaultViewQuery(db, session, list) : null;
    if (view) redirect(`${path}?${view}`);
    const filter = readFilter(filters, params);
    const first = query(listQuery(filters, filter, await currentTimeZone()));
    return (
      <FirstData routes={get} load={(run) => Promise.all([first, ...also].map((each) => run(each)))}>
        <Page />
      </FirstData>
    );
  };
