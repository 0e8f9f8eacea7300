import { ArrowDownIcon } from "@phosphor-icons/react/dist/ssr/ArrowDown";
import { ArrowUpIcon } from "@phosphor-icons/react/dist/ssr/ArrowUp";
import { Fragment, type ReactNode, useContext } from "react";
import { useTranslations } from "use-intl";
import { Link } from "@/components/ui/link";
import { OnPhone, useMedia } from "@/components/ui/use-media";
import type { Column, Texts } from "./columns";

export type Order = "created_at" | "-created_at";

/** 1024 px is enough for a table. The server's HTML depends on the kind of device. */
const useWide = (): boolean => useMedia("(min-width: 64rem)", !useContext(OnPhone));

export interface RowsProps<Row> {
  rows: Row[];
  columns: readonly Column<Row>[];
  caption: string;
  chosen?: readonly string[];
  order?: Order;
  /** Without it the heading does not sort. */
  onOrder?: (order: Order) => void;
  /** For rows without a page of their own. */
  onOpen?: (row: Row) => void;
  level?: "h2" | "h3";
}

export function Rows<Row extends { _id: string }>(props: RowsProps<Row>) {
  return useWide() ? <Table {...props} /> : <Cards {...props} />;
}

export const usualColumns = (columns: readonly Column<never>[]): string[] =>
  columns.filter(({ choice }) => choice === "shown").map(({ key }) => key);

const isActions = ({ key }: { key: string }): boolean => key === "actions";
const cellLook = "h-13 max-w-0 truncate px-3 text-base first:pl-4";
const headLook = "h-10 px-3 text-left text-sm font-medium text-kumo-subtle first:pl-4";
/** In rem, for columns without a width or minimum width. */
const leastWidth = 9;

/** Keeps the buttons visible while the table scrolls sideways; the content below them fades out. */
const inView =
  "sticky right-0 before:pointer-events-none before:absolute before:inset-y-0 before:-left-3 before:w-3 before:bg-inherit before:[mask-image:linear-gradient(to_right,transparent,#000)]";

function Table<Row extends { _id: string }>({ rows, columns, caption, chosen, onOpen, ...sorting }: RowsProps<Row>) {
  const t = useTranslations();
  const shown = columns.filter(
    ({ key, choice, table }) =>
      table !== "none" && (choice ? (chosen ? chosen.includes(key) : choice === "shown") : table !== "below"),
  );
  const below = columns.filter((column) => column.table === "below" && !shown.includes(column));
  const minWidth = shown.reduce((sum, { width, minWidth = leastWidth }) => sum + (width ?? minWidth), 0);
  /** Text after a right-aligned column needs a gap. */
  const gap = (index: number): string =>
    shown[index - 1]?.align === "right" && !shown[index]?.align && !isActions(shown[index] ?? { key: "" })
      ? "!pl-8"
      : "";
  return (
    <div className="relative scroll-pr-36 overflow-x-auto rounded-xl bg-kumo-base ring ring-kumo-line">
      <table className="w-full table-fixed border-collapse" style={{ minWidth: `${minWidth}rem` }}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-kumo-hairline">
            {shown.map((column, index) => (
              <Head key={column.key} column={column} {...sorting} className={gap(index)} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row._id}
              className="border-b border-kumo-hairline bg-kumo-base last:border-0 hover:bg-kumo-elevated"
            >
              {shown.map((column, index) => (
                <Cell key={column.key} {...{ row, column, below, onOpen, t }} className={gap(index)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row> extends Pick<RowsProps<Row>, "order" | "onOrder"> {
  column: Column<Row>;
  className: string;
}

function Head<Row>({ column, order = "-created_at", onOrder, className }: HeadProps<Row>) {
  const t = useTranslations();
  const { label, width, align, sorts } = column;
  const style = width === undefined ? undefined : { width: `${width}rem` };
  if (isActions(column))
    return (
      <th scope="col" className={`${headLook} ${inView} bg-kumo-base`} style={style}>
        <span className="sr-only">{label(t)}</span>
      </th>
    );
  const turns = sorts && onOrder;
  const newest = order === "-created_at";
  const Arrow = newest ? ArrowDownIcon : ArrowUpIcon;
  return (
    <th
      scope="col"
      style={style}
      aria-sort={turns ? (newest ? "descending" : "ascending") : undefined}
      className={`${headLook} ${align === "right" ? "!text-right last:pr-4" : ""} ${className}`}
    >
      {turns ? (
        <button
          type="button"
          className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-kumo-default"
          onClick={() => onOrder(newest ? "created_at" : "-created_at")}
        >
          {label(t)}
          <Arrow size={12} weight="bold" aria-hidden />
        </button>
      ) : (
        label(t)
      )}
    </th>
  );
}

interface CellProps<Row> extends Pick<RowsProps<Row>, "onOpen"> {
  row: Row;
  column: Column<Row>;
  below: Column<Row>[];
  className: string;
  t: Texts;
}

function Cell<Row>({ row, column, below, onOpen, className, t }: CellProps<Row>) {
  const { cell, title, table, align, look = "" } = column;
  if (isActions(column)) return <td className={`${inView} bg-inherit px-2`}>{cell(row, t)}</td>;
  const looks = `${cellLook} ${align === "right" ? "text-right tabular-nums last:pr-4" : ""} ${look} ${className}`;
  const whole = title?.(row, t) ?? undefined;
  if (table !== "heading")
    return (
      <td className={looks} title={whole}>
        {cell(row, t)}
      </td>
    );
  return (
    <th scope="row" className={`${looks} text-left font-medium text-kumo-strong`}>
      <Opener {...{ row, column, onOpen }} className="block max-w-full truncate leading-snug row-link" title={whole}>
        {cell(row, t)}
      </Opener>
      {below.map((second) => {
        const content = (second.cardCell ?? second.cell)(row, t);
        return (
          content && (
            <span
              key={second.key}
              className={`block truncate text-sm font-normal text-kumo-subtle ${second.look ?? ""}`}
              title={second.title?.(row, t) ?? undefined}
            >
              {content}
            </span>
          )
        );
      })}
    </th>
  );
}

interface OpenerProps<Row> extends Pick<RowsProps<Row>, "onOpen"> {
  row: Row;
  column: Column<Row>;
  className: string;
  title?: string;
  children: ReactNode;
}

function Opener<Row>({ row, column: { href }, onOpen, className, title, children }: OpenerProps<Row>) {
  if (onOpen)
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => onOpen(row)}
        title={title}
        className={`text-left ${className}`}
      >
        {children}
      </button>
    );
  return (
    <Link href={href?.(row) ?? ""} title={title} className={className}>
      {children}
    </Link>
  );
}

function Cards<Row extends { _id: string }>({ rows, columns, caption, onOpen, level = "h2" }: RowsProps<Row>) {
  return (
    <ul aria-label={caption} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
      {rows.map((row) => (
        <Card key={row._id} {...{ row, columns, onOpen, level }} />
      ))}
    </ul>
  );
}

function Card<Row>({
  row,
  columns,
  onOpen,
  level: Heading = "h2",
}: Omit<RowsProps<Row>, "rows" | "caption"> & { row: Row }) {
  const t = useTranslations();
  const at = (place: Column<Row>["card"]): { key: string; look?: string; content: ReactNode }[] =>
    columns
      .filter(({ card }) => card === place)
      .map(({ key, look, cell, cardCell = cell }) => ({ key, look, content: cardCell(row, t) }))
      .filter(({ content }) => content !== null && content !== "" && content !== false && content !== undefined);
  const heading = columns.find(({ card }) => card === "heading");
  const [side, lines, meta, foot, end] = [at("side"), at("line"), at("meta"), at("foot"), at("end")];
  const actions = columns.find(isActions);
  return (
    <li className="grid grid-cols-1 gap-1 border-b border-kumo-hairline px-4 py-3 last:border-0">
      <div className="flex items-baseline justify-between gap-4">
        <Heading className={`min-w-0 text-base font-medium wrap-anywhere text-kumo-strong ${heading?.look ?? ""}`}>
          {heading && (
            <Opener {...{ row, column: heading, onOpen }} className="block py-0.5 wrap-anywhere row-link">
              {(heading.cardCell ?? heading.cell)(row, t)}
            </Opener>
          )}
        </Heading>
        {side.map(({ key, content }) => (
          <span key={key} className="shrink-0 text-right text-base font-semibold text-kumo-strong tabular-nums">
            {content}
          </span>
        ))}
      </div>
      {lines.map(({ key, content }) => (
        <p key={key} className="truncate text-base text-kumo-subtle">
          {content}
        </p>
      ))}
      {meta.length > 0 && (
        <p className="text-sm wrap-anywhere text-kumo-subtle">
          {meta.map(({ key, look, content }, index) => (
            <Fragment key={key}>
              {index > 0 && " · "}
              <span className={look}>{content}</span>
            </Fragment>
          ))}
        </p>
      )}
      {(foot.length > 0 || end.length > 0 || actions) && (
        <div className="flex min-h-8 items-center gap-3 text-sm text-kumo-subtle">
          {foot.map(({ key, content }) => (
            <span key={key} className="min-w-0 truncate">
              {content}
            </span>
          ))}
          <span className="ml-auto flex shrink-0 items-center gap-3">
            {end.map(({ key, content }) => (
              <span key={key}>{content}</span>
            ))}
            <span className="-mr-2 empty:hidden">{actions?.cell(row, t)}</span>
          </span>
        </div>
      )}
    </li>
  );
}
