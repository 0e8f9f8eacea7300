import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, Suspense, useContext } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { focusPage } from "@/components/ui/focus-later";
import { Notice } from "@/components/ui/notice";
import { LoadBoundary, onDemand } from "@/components/ui/on-demand";
import { useToasts } from "@/components/ui/toasts";
import type { Rows as RowsOf } from "@/lib/client/result";
import type { PageMeta } from "@/lib/http/envelope";
import { ColumnChooser } from "./column-chooser";
import { criteriaOf, type Filters, metadataKeyOf, partialOrders } from "./filter";
import { FilterBar } from "./filters";
import { type ListThing, LoadFailure, Skeleton } from "./list-frame";
import { InPeek, PeekContext, useBarClass } from "./peek-context";
import { Rows } from "./rows";
import type { Order, RowsProps } from "./rows-props";
import { useSelection } from "./selection";
import { SelectionBar } from "./selection-bar";
import type { ListAddress } from "./use-address";
import { usePeek } from "./use-peek";

const SidePeek = onDemand(() => import("./side-peek").then(({ SidePeek }) => SidePeek));

interface ListProps<Row> extends Omit<RowsProps<Row>, "rows" | "chosen" | "order" | "onOrder" | "main" | "selection"> {
  of: ListThing;
  query: UseQueryResult<RowsOf<Row>>;
  address: ListAddress;
  filters: Filters;
  /** Shown if the list has no rows and no filter is set. */
  empty: { title: string; text: ReactNode; action?: ReactNode };
  /** Shown if no row matches the filters: where else to look. */
  elsewhere?: ReactNode;
  /** Between the filters and the rows. */
  note?: ReactNode;
  /** The page of a row, shown beside the list on wide screens. Without it, a row leads to its page. */
  peek?: (id: string) => ReactNode;
  /** The list whose pages the side peek shows, if it is not this one. */
  peekList?: string;
  /** The actions on the rows that are selected. Without it, no row can be selected. */
  bulk?: (rows: Row[], clear: () => void) => ReactNode;
  children?: ReactNode;
}

interface ListPageProps<Row> extends Omit<ListProps<Row>, "caption"> {
  title: string;
  lead?: ReactNode;
  /** The create button. An empty list shows it too, unless `empty` has its own action. */
  create?: ReactNode;
  caption?: string;
}

export function ListPage<Row extends { _id: string }>(props: ListPageProps<Row>) {
  const { title, lead, create, caption = title, empty, ...list } = props;
  return (
    <>
      <div className="mb-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-xl font-semibold tracking-tight text-kumo-strong">{title}</h1>
          {create}
        </div>
        {lead && <p className="mt-1 max-w-2xl text-base leading-relaxed text-pretty text-kumo-subtle">{lead}</p>}
      </div>
      <List {...list} caption={caption} empty={{ action: create, ...empty }} />
    </>
  );
}

export function List<Row extends { _id: string }>(props: ListProps<Row>) {
  const { query, of, address, filters, empty, elsewhere, peek: page, peekList, note, bulk, children, ...rows } = props;
  const { filter, change } = address;
  const chosen = filter.columns?.split(",");
  const peek = usePeek();
  const { loadFailed } = useToasts();
  const selection = useSelection();
  const clear = () => {
    selection.set(new Set());
    selection.last.current = undefined;
  };
  const main = useContext(InPeek) === null;
  const turn = (order: Order) =>
    change({ cursor: undefined, sort: order === "-created_at" ? undefined : order }, "replace");
  return (
    <PeekContext value={page ? peek : null}>
      {!isBlank(query, filters, filter) && (
        <FilterBar filters={filters} address={address}>
          <ColumnChooser
            columns={rows.columns}
            chosen={chosen}
            onChange={(columns) => change({ columns }, "replace")}
          />
          {children}
        </FilterBar>
      )}
      {note}
      <PartialOrderNote sort={filter.sort} />
      <States {...{ query, of, address, filters, empty, elsewhere }}>
        {(found) => (
          <>
            <Rows
              {...rows}
              selection={bulk && selection}
              main={main}
              rows={found}
              chosen={chosen}
              order={filter.sort ?? "-created_at"}
              onOrder={"sort" in filters ? turn : undefined}
            />
            {bulk && <Selected rows={found.filter(({ _id }) => selection.ids.has(_id))} bulk={bulk} onClear={clear} />}
          </>
        )}
      </States>
      {page && peek.id !== undefined && (
        <LoadBoundary onFailed={loadFailed}>
          <Suspense>
            <SidePeek id={peek.id} list={peekList} peek={peek}>
              {page(peek.id)}
            </SidePeek>
          </Suspense>
        </LoadBoundary>
      )}
    </PeekContext>
  );
}

const partialOrderOf = (sort = "") => partialOrders.find((name) => name === sort.replace("-", ""));

/** Says which rows an order leaves out. */
function PartialOrderNote({ sort }: { sort?: string }) {
  const t = useTranslations("shell.list.onlyWith");
  const order = partialOrderOf(sort);
  return order ? <p className="mb-3 text-sm text-kumo-subtle">{t(order)}</p> : null;
}

/** Whether there is nothing to filter, order or export. A default filter counts as a filter; a default order does not. */
function isBlank<Row>(query: UseQueryResult<RowsOf<Row>>, filters: Filters, filter: ListAddress["filter"]): boolean {
  if (!query.data || query.isPlaceholderData || query.data.rows.length > 0) return false;
  const { next_cursor, prev_cursor } = query.data.page;
  if (next_cursor !== null || prev_cursor !== null || filter.cursor) return false;
  if (partialOrderOf(filter.sort) || Object.keys(filter).some(metadataKeyOf)) return false;
  return Object.entries(filters).every(([name, { usual }]) => name === "sort" || (!usual && !filter[name]));
}

interface SelectedProps<Row> extends Required<Pick<ListProps<Row>, "bulk">> {
  rows: Row[];
  onClear: () => void;
}

function Selected<Row>({ rows, bulk, onClear }: SelectedProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <SelectionBar count={rows.length} onClear={onClear}>
      <Suspense>{bulk(rows, onClear)}</Suspense>
    </SelectionBar>
  );
}

interface StatesProps<Row>
  extends Pick<ListProps<Row>, "query" | "of" | "address" | "filters" | "empty" | "elsewhere"> {
  children: (rows: Row[]) => ReactNode;
}

/** The states: pending, error, empty, rows; always in this order. */
function States<Row>(props: StatesProps<Row>) {
  const { query, of, filters, empty, elsewhere, children } = props;
  const { filter, show, change } = props.address;
  const t = useTranslations();
  const words = useTranslations("shell.list");
  const things = useTranslations("things.lists");
  const format = useFormatter();
  const turn = (cursor: string | undefined, how: "push" | "replace") => change({ cursor }, how);

  function reset(to: typeof filter): void {
    show(to, "replace");
    focusPage(); // the focused button disappears
  }

  const firstPage = (
    <Button variant="secondary" onClick={() => turn(undefined, "replace")}>
      {words("firstPage")}
    </Button>
  );

  // While filters change, the rows of the previous ones are shown. If there were none, the list is not known to be empty.
  const isUnknown = query.isPlaceholderData && query.data?.rows.length === 0;
  if (query.isPending || isUnknown) return <Skeleton of={`lists.${of}`} />;
  if (query.isError)
    return (
      <LoadFailure of={`lists.${of}`} query={query}>
        {filter.cursor && firstPage}
      </LoadFailure>
    );
  const { rows, page } = query.data;
  const { next_cursor: next } = page;
  // A page checks a limited number of rows (lib/http/list.ts). Matching ones may come later.
  if (rows.length === 0 && next !== null)
    return (
      <Notice
        title={words("nothingYet")}
        action={
          <Button variant="secondary" onClick={() => turn(next, "push")}>
            {words("searchOn")}
          </Button>
        }
      >
        {words("nothingYetText")}
      </Notice>
    );
  const criteria = criteriaOf(filters, filter, t);
  const clearFilters = criteria.length > 0 && (
    <Button variant="secondary" onClick={() => reset({})}>
      {words("clearFilters")}
    </Button>
  );
  // The previous page stopped at its limit of checked rows, or this page's rows were deleted or have left the range.
  if (rows.length === 0 && filter.cursor)
    return (
      <Notice
        title={words("nothingMore")}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            {firstPage}
            {clearFilters}
          </div>
        }
      >
        {words("nothingMoreText")}
      </Notice>
    );
  if (rows.length === 0 && clearFilters)
    return (
      <Notice
        title={words("nothingMatches")}
        action={
          <>
            <LoadBoundary>
              <Suspense>{elsewhere}</Suspense>
            </LoadBoundary>
            {clearFilters}
          </>
        }
      >
        {things(`${of}.noneMatches`, { criteria: format.list(criteria) })}
      </Notice>
    );
  // PartialOrderNote says which rows the order leaves out.
  if (rows.length === 0 && partialOrderOf(filter.sort))
    return (
      <Notice
        title={words("nothingMatches")}
        action={
          <Button variant="secondary" onClick={() => reset({ ...filter, sort: undefined })}>
            {words("orders.-created_at")}
          </Button>
        }
      />
    );
  if (rows.length === 0)
    return (
      <Notice title={empty.title} action={empty.action}>
        {empty.text}
      </Notice>
    );
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : ""}>
      <p role="status" className="sr-only">
        {things(`${of}.shown`, { count: rows.length })}
      </p>
      {children(rows)}
      <Pager page={page} onTurn={(cursor) => turn(cursor, "push")} />
    </div>
  );
}

function Pager({ page, onTurn }: { page: PageMeta; onTurn: (cursor: string) => void }) {
  const t = useTranslations("shell.list");
  const { prev_cursor: previous, next_cursor: next } = page;
  const barClass = useBarClass();
  if (previous === null && next === null) return null;
  return (
    <nav aria-label={t("pages")} className={`mt-4 flex flex-wrap justify-end gap-2 ${barClass}`}>
      <Button
        variant="secondary"
        icon={<CaretLeftIcon size={14} />}
        disabled={previous === null}
        onClick={() => previous && onTurn(previous)}
      >
        {t("previous")}
      </Button>
      <Button variant="secondary" disabled={next === null} onClick={() => next && onTurn(next)}>
        {t("next")}
        <CaretRightIcon size={14} />
      </Button>
    </nav>
  );
}
