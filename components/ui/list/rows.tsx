import { ArrowDownIcon } from "@phosphor-icons/react/dist/ssr/ArrowDown";
import { ArrowsDownUpIcon } from "@phosphor-icons/react/dist/ssr/ArrowsDownUp";
import { ArrowUpIcon } from "@phosphor-icons/react/dist/ssr/ArrowUp";
import { type CSSProperties, type ReactNode, useContext, useId } from "react";
import { useTranslations } from "use-intl";
import { OnPhone, useMedia } from "@/components/ui/use-media";
import { Cards } from "./cards";
import { type Column, isActions, type Texts } from "./columns";
import { Opener, rowAttributes } from "./opener";
import { InPeek, PeekContext } from "./peek-context";
import { RowArea } from "./row-area";
import type { RowsProps } from "./rows-props";
import { SelectAll, SelectRow } from "./selection";

/** 768 px are enough for a table, but a side peek is narrow. The server's HTML depends on the kind of device. */
function useTable(): boolean {
  const wide = useMedia("(min-width: 48rem)", !useContext(OnPhone));
  const inPeek = useContext(InPeek) !== null;
  return wide && !inPeek;
}

export function Rows<Row extends { _id: string }>({ main = false, ...props }: RowsProps<Row>) {
  return <RowArea main={main}>{useTable() ? <Table {...props} /> : <Cards {...props} />}</RowArea>;
}

export const usualColumns = (columns: readonly Column<never>[]): string[] =>
  columns.filter(({ choice }) => choice === "shown").map(({ key }) => key);

const cellLook = "h-13 max-w-0 truncate px-3 py-1.5 text-base first:pl-4";
const headLook = "h-10 pointer-coarse:h-11 px-3 text-left text-sm font-medium text-kumo-subtle first:pl-4";
/** In rem, for columns without a width or minimum width. */
const leastWidth = 9;
/** In rem, of the column with the checkboxes. */
const selectWidth = 2.75;
/** In rem, that a gap adds to a cell's padding. */
const gapWidth = 1.25;

/** Keeps the buttons visible while the table scrolls sideways; the content below them fades out. */
const inView =
  "sticky right-0 z-2 before:pointer-events-none before:absolute before:inset-y-0 before:-left-3 before:w-3 before:bg-inherit before:[mask-image:linear-gradient(to_right,transparent,#000)]";

type Width = Pick<Column<never>, "width" | "minWidth">;
const widthOf = ({ width, minWidth = leastWidth }: Width): number => width ?? minWidth;
/** In a table without room, texts are cut off sooner. */
const narrowWidthOf = ({ width = leastWidth }: Width): number => width;

/** In rem, of the page's content on screens of 768 and 1024 px. */
const narrowWidth = 31;
const middleWidth = 47;
/** In rem, 40 % of `narrowWidth`: the longest status below the heading is not cut off. */
const narrowHeadingWidth = 12.5;

const sumOf = <Row,>(columns: readonly Column<Row>[], width: (column: Column<Row>) => number, taken: number): number =>
  columns.reduce((sum, column) => sum + width(column), taken);

/** The columns from 1024 to 1231 px: drops `meta` columns, then `line` columns, then those of no card, the last first, until the table fits. */
function fitted<Row>(columns: readonly Column<Row>[], taken: number): readonly Column<Row>[] {
  if (sumOf(columns, widthOf, taken) <= middleWidth) return columns;
  let sum = sumOf(columns, narrowWidthOf, taken);
  const dropped = new Set<Column<Row>>();
  for (const card of ["meta", "line", undefined])
    for (const column of columns.toReversed()) {
      if (sum <= middleWidth || column.card !== card || isActions(column)) continue;
      dropped.add(column);
      sum -= narrowWidthOf(column);
    }
  return columns.filter((column) => !dropped.has(column));
}

/**
 * Of a table without room: the heading, the column at its side on a card and the actions, then what fits of a card's last line, then
 * of its small line.
 */
function narrowed<Row>(columns: readonly Column<Row>[], taken: number): Column<Row>[] {
  const isFirst = (column: Column<Row>) => ["heading", "side"].includes(column.card ?? "") || isActions(column);
  const kept = new Set(columns.filter(isFirst));
  const least = (column: Column<Row>) =>
    Math.max(narrowWidthOf(column), column.table === "heading" ? narrowHeadingWidth : 0);
  let sum = sumOf([...kept], least, taken);
  const last = columns.filter(({ card }) => card === "foot" || card === "end");
  const meta = columns.filter(({ card }) => card === "meta");
  for (const column of [...last, ...meta]) {
    if (kept.has(column) || sum + least(column) > narrowWidth) continue;
    kept.add(column);
    sum += least(column);
  }
  return columns.filter((column) => kept.has(column));
}

/** On a touch screen the buttons are wider. */
const forTouch = <Row,>(column: Column<Row>): Column<Row> =>
  isActions(column) && column.width ? { ...column, width: column.width * 1.25 } : column;

function Table<Row extends { _id: string }>(props: RowsProps<Row>) {
  const { rows, columns: usual, caption, chosen, onOpen, selection, ...sorting } = props;
  const ids = useId();
  const t = useTranslations();
  const peek = useContext(PeekContext);
  const columns = useMedia("(pointer: coarse)", false) ? usual.map(forTouch) : usual;
  const middle = useMedia("(min-width: 64rem)", true);
  const roomy = useMedia("(min-width: 77rem)", true);
  const given = columns.filter(
    ({ key, choice, table }) =>
      table !== "none" && (choice ? (chosen ? chosen.includes(key) : choice === "shown") : table !== "below"),
  );
  const least = selection ? selectWidth : 0;
  const whole = roomy || chosen !== undefined;
  const kept = narrowed(given, least);
  const fit = fitted(given, least);
  const shown = whole ? given : middle ? fit : kept;
  const below = columns.filter(
    (column) =>
      !shown.includes(column) && (column.table === "below" || (given.includes(column) && column.card !== undefined)),
  );
  /** The server does not know the width: until hydration, the style sheet narrows what it has rendered. */
  const narrows = whole && chosen === undefined;
  /** Text after a right-aligned column needs a gap. */
  const hasGap = (index: number): boolean =>
    shown[index - 1]?.align === "right" && !shown[index]?.align && !isActions(shown[index] ?? { key: "" });
  const gap = (index: number): string => (hasGap(index) ? "!pl-8" : "");
  // Columns that a person chose scroll rather than shrink.
  const gaps = chosen ? shown.filter((_, index) => hasGap(index)).length * gapWidth : 0;
  const minWidth = sumOf(shown, whole ? widthOf : narrowWidthOf, least) + gaps;
  const leastOf = (columns: readonly Column<Row>[]) =>
    `${narrows ? sumOf(columns, narrowWidthOf, least) : minWidth}rem`;
  const hiddenOf = (column: Column<Row>): string =>
    `${fit.includes(column) ? "" : "max-[77rem]:hidden"} ${kept.includes(column) ? "" : "max-lg:hidden"}`;
  const lookOf = (column: Column<Row>, index: number): string =>
    narrows ? `${gap(index)} ${hiddenOf(column)}` : gap(index);
  return (
    <div className="relative scroll-pr-36 overflow-x-auto rounded-xl bg-kumo-base ring ring-kumo-line">
      <table
        className="w-full min-w-(--least) table-fixed border-collapse max-[77rem]:min-w-(--least-middle) max-lg:min-w-(--least-narrow)"
        style={
          {
            "--least": `${minWidth}rem`,
            "--least-middle": leastOf(fit),
            "--least-narrow": leastOf(kept),
          } as CSSProperties
        }
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-kumo-hairline">
            {selection && (
              <th scope="col" className="pl-0.5" style={{ width: `${selectWidth}rem` }}>
                <SelectAll selection={selection} rows={rows} wordId={ids} />
              </th>
            )}
            {shown.map((column, index) => (
              <Head
                key={column.key}
                column={column}
                {...sorting}
                width={column.width && column.width + (hasGap(index) ? gapWidth : 0)}
                className={lookOf(column, index)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={row._id}
              {...rowAttributes(row, columns, peek)}
              className="row-target border-b border-kumo-hairline bg-kumo-base last:border-0 hover:bg-kumo-elevated data-peeked:bg-kumo-tint"
            >
              {selection && (
                <td className="pl-0.5">
                  <SelectRow {...{ selection, rows }} id={row._id} labelledBy={`${ids} ${ids}${row._id}`} />
                </td>
              )}
              {shown.map((column, index) => (
                <Cell
                  key={column.key}
                  {...{ row, column, below, onOpen, t }}
                  openerId={selection && `${ids}${row._id}`}
                  className={lookOf(column, index)}
                />
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
  /** In rem. */
  width: number | undefined;
  className: string;
}

function Head<Row>({ column, width, order = "-created_at", onOrder, className }: HeadProps<Row>) {
  const t = useTranslations();
  const { label, align, sorts } = column;
  const style = width === undefined ? undefined : { width: `${width}rem` };
  if (isActions(column))
    return (
      <th scope="col" className={`${headLook} ${inView} bg-kumo-base`} style={style}>
        <span className="sr-only">{label(t)}</span>
      </th>
    );
  const turns = sorts !== undefined && onOrder;
  const descending = order === `-${sorts}`;
  const isSorted = descending || order === sorts;
  const Arrow = !isSorted ? ArrowsDownUpIcon : descending ? ArrowDownIcon : ArrowUpIcon;
  // The first click sorts texts from A and future times from the nearest; past times and amounts from the greatest.
  const next = isSorted ? !descending : !["email", "next_charge_at", "expires_at"].includes(sorts ?? "");
  return (
    <th
      scope="col"
      style={style}
      aria-sort={turns ? (!isSorted ? "none" : descending ? "descending" : "ascending") : undefined}
      className={`${headLook} ${align === "right" ? "!text-right last:pr-4" : ""} ${className}`}
    >
      {turns ? (
        <button
          type="button"
          className="-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-kumo-default touch-target"
          onClick={() => onOrder(next ? `-${sorts}` : sorts)}
        >
          {label(t)}
          <Arrow size={12} weight="bold" aria-hidden className={isSorted ? "" : "opacity-50"} />
        </button>
      ) : (
        label(t)
      )}
    </th>
  );
}

/** A text that may be cut off, with the whole of it as a tooltip. */
const titled = (content: ReactNode, whole: string | null | undefined): ReactNode =>
  whole ? (
    <span className="row-text" title={whole}>
      {content}
    </span>
  ) : (
    content
  );

interface CellProps<Row> extends Pick<RowsProps<Row>, "onOpen"> {
  row: Row;
  column: Column<Row>;
  below: Column<Row>[];
  openerId: string | undefined;
  className: string;
  t: Texts;
}

function Cell<Row>({ row, column, below, openerId, onOpen, className, t }: CellProps<Row>) {
  const { cell, title, table, align, look = "" } = column;
  if (isActions(column)) return <td className={`${inView} bg-inherit px-2`}>{cell(row, t)}</td>;
  const looks = `${cellLook} ${align === "right" ? "text-right tabular-nums last:pr-4" : ""} ${look} ${className}`;
  const content = titled(cell(row, t), title?.(row, t));
  if (table !== "heading") return <td className={looks}>{content}</td>;
  return (
    <th scope="row" className={`${looks} text-left font-medium text-kumo-strong`}>
      <Opener {...{ row, column, onOpen }} id={openerId} className="block max-w-full truncate leading-snug">
        {content}
      </Opener>
      {below.map((second) => {
        const line = (second.cardCell ?? second.cell)(row, t);
        return (
          line && (
            <span
              key={second.key}
              className={`block truncate text-sm font-normal text-kumo-subtle ${second.look ?? ""}`}
            >
              {titled(line, second.title?.(row, t))}
            </span>
          )
        );
      })}
    </th>
  );
}
