import type { ComponentType } from "react";
import { listQuery } from "@/components/shell/list-query";
import { queryOf } from "@/components/shell/next-path";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import type { Endpoint } from "@/lib/http/endpoint";
import { openPage, type PageProps } from "./dashboard-page";
import { FirstData, type Query } from "./first-data";
import type { Get } from "./own-api";
import { currentTimeZone } from "./session";

interface ListPageOptions<F extends Filters> {
  filters: F;
  query: (filter: FilterOf<F>) => Query;
  get: Get;
  endpoint?: Endpoint;
}

/** Not in dashboard-page.tsx, so that other pages do not load the script of tables. */
export const listPage = <F extends Filters>(path: string, Page: ComponentType, options: ListPageOptions<F>) =>
  async function ListPage({ searchParams }: PageProps) {
    const { filters, query, get, endpoint } = options;
    await openPage(path, searchParams, endpoint);
    const filter = readFilter(filters, await queryOf(searchParams));
    const first = query(listQuery(filters, filter, await currentTimeZone()));
    return (
      <FirstData routes={get} load={(run) => run(first)}>
        <Page />
      </FirstData>
    );
  };
