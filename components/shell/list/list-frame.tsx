"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { explainFailure } from "@/components/ui/explain-failure";
import { Notice } from "@/components/ui/notice";
import type { Rows } from "@/lib/api/client";
import type { PageMeta } from "@/lib/api/envelope";
import type { How, ListFilter } from "./use-list-address";

interface ListFrameProps<Row, Filter extends ListFilter> {
  rows: UseQueryResult<Rows<Row>>;
  /** What the rows are: ["package", "packages"]. */
  nouns: readonly [one: string, many: string];
  filter: Filter;
  /** What the filter asks for ("the status active"), each part by itself; empty without one. */
  asked: string[];
  /** What stands in place of a list that has no rows at all. */
  empty: ReactNode;
  onShow: (filter: Filter, how: How) => void;
  children: (rows: Row[]) => ReactNode;
}

/** A list's states: pending, error, empty, rows; always in this order. */
export function ListFrame<Row, Filter extends ListFilter>(props: ListFrameProps<Row, Filter>) {
  const { rows: query, nouns, filter, asked, empty, onShow, children } = props;
  const [one, many] = nouns;
  const page = (cursor: string | undefined): Filter => ({ ...filter, cursor });

  if (query.isPending) return <Skeleton what={many} />;
  if (query.isError)
    return (
      <LoadFailure what={many} query={query}>
        {filter.cursor && (
          <Button variant="ghost" onClick={() => onShow(page(undefined), "replace")}>
            Go to the first page
          </Button>
        )}
      </LoadFailure>
    );
  const { rows, page: meta } = query.data;
  if (rows.length === 0 && asked.length > 0)
    return (
      <Notice
        title="Nothing matches"
        action={
          <Button variant="secondary" onClick={() => onShow({} as Filter, "replace")}>
            Clear the filters
          </Button>
        }
      >
        No {one} has {asked.join(" and ")}.
      </Notice>
    );
  if (rows.length === 0) return empty;
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : ""}>
      <p role="status" className="sr-only">
        {rows.length === 1 ? `1 ${one} shown` : `${rows.length} ${many} shown`}
      </p>
      {children(rows)}
      <Pager page={meta} onTurn={(cursor) => onShow(page(cursor), "push")} />
    </div>
  );
}

interface LoadFailureProps {
  what: string;
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  children?: ReactNode;
}

/** Why something could not be loaded, and the way to try again. */
export function LoadFailure({ what, query, children }: LoadFailureProps) {
  return (
    <div className="grid justify-items-start gap-4 rounded-xl bg-kumo-base p-5 ring ring-kumo-line">
      <Alert>
        The {what} could not be loaded. {query.error && explainFailure(query.error)}
      </Alert>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" loading={query.isFetching} onClick={() => void query.refetch()}>
          Try again
        </Button>
        {children}
      </div>
    </div>
  );
}

function Pager({ page, onTurn }: { page: PageMeta; onTurn: (cursor: string) => void }) {
  const { prev_cursor: previous, next_cursor: next } = page;
  if (previous === null && next === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex justify-end gap-2">
      <Button
        variant="secondary"
        icon={<CaretLeftIcon size={14} />}
        disabled={previous === null}
        onClick={() => previous && onTurn(previous)}
      >
        Previous
      </Button>
      <Button variant="secondary" disabled={next === null} onClick={() => next && onTurn(next)}>
        Next
        <CaretRightIcon size={14} />
      </Button>
    </nav>
  );
}

/** Rows to come. */
export function Skeleton({ what }: { what: string }) {
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      <p role="status" className="sr-only">
        Loading {what}
      </p>
      {["w-40", "w-56", "w-32", "w-48", "w-44", "w-36"].map((width) => (
        <div
          key={width}
          aria-hidden
          className="flex h-13 items-center gap-6 border-b border-kumo-hairline px-4 last:border-0"
        >
          <span className={`h-3 motion-safe:animate-pulse rounded bg-kumo-fill ${width}`} />
          <span className="ml-auto h-3 w-16 motion-safe:animate-pulse rounded bg-kumo-fill" />
        </div>
      ))}
    </div>
  );
}
