"use client";

import { CaretLeftIcon } from "@phosphor-icons/react/dist/ssr/CaretLeft";
import { CaretRightIcon } from "@phosphor-icons/react/dist/ssr/CaretRight";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { Notice } from "@/components/ui/notice";
import type { Rows } from "@/lib/client/call";
import type { PageMeta } from "@/lib/http/envelope";
import type en from "@/messages/en";
import type { How, ListFilter } from "./use-list-address";

type Things = (typeof en)["things"];
export type ListThing = keyof Things["lists"];
export type SingleThing = keyof Things["single"];

/** What is being loaded: a list by its name, or one thing. */
type Thing = `lists.${ListThing}` | `single.${SingleThing}`;

interface ListFrameProps<Row, Filter extends ListFilter> {
  rows: UseQueryResult<Rows<Row>>;
  /** What the rows are. */
  of: ListThing;
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
  const { rows: query, of, filter, asked, empty, onShow, children } = props;
  const t = useTranslations("shell.list");
  const things = useTranslations("things.lists");
  const format = useFormatter();
  const page = (cursor: string | undefined): Filter => ({ ...filter, cursor });

  function clear(): void {
    onShow({} as Filter, "replace");
    document.getElementById("content")?.focus(); // the button goes, and the focus would go with it
  }

  if (query.isPending) return <Skeleton of={`lists.${of}`} />;
  if (query.isError)
    return (
      <LoadFailure of={`lists.${of}`} query={query}>
        {filter.cursor && (
          <Button variant="ghost" onClick={() => onShow(page(undefined), "replace")}>
            {t("firstPage")}
          </Button>
        )}
      </LoadFailure>
    );
  const { rows, page: meta } = query.data;
  if (rows.length === 0 && asked.length > 0)
    return (
      <Notice
        title={t("nothingMatches")}
        action={
          <Button variant="secondary" onClick={clear}>
            {t("clearFilters")}
          </Button>
        }
      >
        {things(`${of}.noneMatches`, { asked: format.list(asked) })}
      </Notice>
    );
  if (rows.length === 0) return empty;
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? "opacity-60" : ""}>
      <p role="status" className="sr-only">
        {things(`${of}.shown`, { count: rows.length })}
      </p>
      {children(rows)}
      <Pager page={meta} onTurn={(cursor) => onShow(page(cursor), "push")} />
    </div>
  );
}

interface LoadFailureProps {
  of: Thing;
  query: Pick<UseQueryResult, "error" | "isFetching" | "refetch">;
  children?: ReactNode;
}

/** Why something could not be loaded, and the way to try again. */
export function LoadFailure({ of, query, children }: LoadFailureProps) {
  const explainFailure = useExplainFailure();
  const t = useTranslations("shell.list");
  const things = useTranslations("things");
  return (
    <div className="grid justify-items-start gap-4 rounded-xl bg-kumo-base p-5 ring ring-kumo-line">
      <Alert>
        {things(`${of}.failed`)} {query.error && explainFailure(query.error)}
      </Alert>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" loading={query.isFetching} onClick={() => void query.refetch()}>
          {t("tryAgain")}
        </Button>
        {children}
      </div>
    </div>
  );
}

function Pager({ page, onTurn }: { page: PageMeta; onTurn: (cursor: string) => void }) {
  const t = useTranslations("shell.list");
  const { prev_cursor: previous, next_cursor: next } = page;
  if (previous === null && next === null) return null;
  return (
    <nav aria-label={t("pages")} className="mt-4 flex justify-end gap-2">
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

/** Rows to come. */
export function Skeleton({ of }: { of: Thing }) {
  const things = useTranslations("things");
  return (
    <div className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      <p role="status" className="sr-only">
        {things(`${of}.loading`)}
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
