import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { type ListThing, LoadFailure } from "@/components/ui/list/list-frame";
import { Rows } from "@/components/ui/list/rows";
import type { RowsProps } from "@/components/ui/list/rows-props";
import type { Rows as RowsOf } from "@/lib/client/result";
import { linkClass } from "./detail";
import { Link } from "./link";

interface PartProps<Row> extends Pick<RowsProps<Row>, "columns" | "chosen"> {
  title: string;
  of: ListThing;
  none: string;
  caption?: string;
  loading?: string;
  /** The list of all rows; its link is hidden if all of them are here, unless `always`. */
  all?: { href: string; label: string; always?: boolean };
  query: UseQueryResult<RowsOf<Row>>;
}

export function Part<Row extends { _id: string }>(props: PartProps<Row>) {
  const { title, of, none, caption = title, loading, all, query, ...columns } = props;
  const t = useTranslations("shell.detail");
  const rows = query.data?.rows ?? [];
  return (
    <section className="grid grid-cols-1 gap-3" aria-label={title}>
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="text-[15px] font-semibold text-kumo-strong">{title}</h2>
        {all && (all.always || query.data?.page.next_cursor) && (
          <Link href={all.href} className={`text-base text-kumo-subtle ${linkClass}`}>
            {all.label}
          </Link>
        )}
      </div>
      {query.isError ? (
        <LoadFailure of={`lists.${of}`} query={query} />
      ) : rows.length > 0 ? (
        <Rows {...columns} rows={rows} caption={caption} level="h3" />
      ) : (
        <p className="rounded-xl bg-kumo-base px-4 py-5 text-center text-base text-kumo-subtle ring ring-kumo-line">
          {query.isPending ? (loading ?? t("loading")) : none}
        </p>
      )}
    </section>
  );
}
