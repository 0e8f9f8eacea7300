import { redirect } from "next/navigation";
import type { ComponentType } from "react";
import { viewListAt } from "@/components/saved-views/lists";
import { listQuery } from "@/components/shell/list-query";
import { dayIn } from "@/components/shell/local-time";
import { queryOf } from "@/components/shell/next-path";
import { type FilterOf, type Filters, readFilter } from "@/components/ui/list/filter";
import { mayCall } from "@/lib/auth/scopes";
import type { Rows } from "@/lib/client/result";
import { db } from "@/lib/core/db";
import type { Endpoint } from "@/lib/http/endpoint";
import { savedViewsQueryOptions } from "@/lib/resources/account/queries";
import { defaultViewQuery } from "@/lib/resources/account/saved-views";
import { nameQueryOptions } from "@/lib/resources/customers/queries";
import { nowOf } from "@/lib/resources/test-clock/queries";
import { openPage, type PageProps } from "./dashboard-page";
import { FirstData, type Load, type Query, type QueryOf } from "./first-data";
import { NotAllowed } from "./not-allowed";
import { currentClock } from "./own-api";
import { currentSession, currentTimeZone } from "./session";

interface ListPageOptions<F extends Filters, Row> {
  filters: F;
  query: (filter: FilterOf<F>) => QueryOf<Rows<Row>>;
  /** The payer's address, if the list shows the name beside it. */
  payer?: (row: Row) => string;
  /** Further queries of the page. */
  also?: Query[];
  endpoint?: Endpoint;
}

/** Not in dashboard-page.tsx, so that other pages do not load the script of tables. */
export const listPage = <F extends Filters, Row>(path: string, Page: ComponentType, options: ListPageOptions<F, Row>) =>
  async function ListPage({ searchParams }: PageProps) {
    const { filters, query, payer, also = [], endpoint } = options;
    const { role } = await openPage(path, searchParams);
    if (endpoint && !mayCall(role, endpoint)) return <NotAllowed />;
    const params = await queryOf(searchParams);
    const list = viewListAt(path);
    const session = list && params.size === 0 ? await currentSession() : null;
    const view = list && session ? await defaultViewQuery(db, session, list) : null;
    if (view) redirect(`${path}?${view}`);
    const filter = readFilter(filters, params);
    const zone = await currentTimeZone();
    const today = dayIn(nowOf(await currentClock()), zone);
    const first = query(listQuery(filters, filter, zone, today));
    const others = list ? [savedViewsQueryOptions(list), ...also] : also;
    const load: Load = async (run) => {
      const [page] = await Promise.all([run(first), ...others.map((each) => run(each))]);
      if (page && payer) await Promise.all(page.rows.map((row) => run(nameQueryOptions(payer(row)))));
    };
    return (
      <FirstData load={load}>
        <Page />
      </FirstData>
    );
  };
