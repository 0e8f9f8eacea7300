import { Fragment, type ReactNode, useContext, useId } from "react";
import { useTranslations } from "use-intl";
import { type Column, isActions } from "./columns";
import { Opener, rowAttributes } from "./opener";
import { PeekContext } from "./peek-context";
import type { RowsProps } from "./rows-props";
import { SelectAll, SelectRow } from "./selection";

export function Cards<Row extends { _id: string }>({
  rows,
  columns,
  caption,
  onOpen,
  selection,
  level = "h2",
}: RowsProps<Row>) {
  const ids = useId();
  return (
    <>
      {selection && <SelectAll selection={selection} rows={rows} wordId={ids} worded />}
      <ul aria-label={caption} className="overflow-hidden rounded-xl bg-kumo-base ring ring-kumo-line">
        {rows.map((row) => (
          <Card
            key={row._id}
            {...{ row, rows, columns, onOpen, selection, level }}
            wordId={ids}
            openerId={selection && `${ids}${row._id}`}
          />
        ))}
      </ul>
    </>
  );
}

function Card<Row extends { _id: string }>({
  row,
  rows,
  columns,
  onOpen,
  selection,
  openerId,
  wordId,
  level: Heading = "h2",
}: Omit<RowsProps<Row>, "caption"> & { row: Row; openerId: string | undefined; wordId: string }) {
  const t = useTranslations();
  const peek = useContext(PeekContext);
  const at = (place: Column<Row>["card"]): { key: string; look?: string; content: ReactNode }[] =>
    columns
      .filter(({ card }) => card === place)
      .map(({ key, look, cell, cardCell = cell }) => ({ key, look, content: cardCell(row, t) }))
      .filter(({ content }) => content !== null && content !== "" && content !== false && content !== undefined);
  const heading = columns.find(({ card }) => card === "heading");
  const [side, lines, meta, foot, end] = [at("side"), at("line"), at("meta"), at("foot"), at("end")];
  const actions = columns.find(isActions);
  return (
    <li
      {...rowAttributes(row, columns, peek)}
      // A phone lays out only the cards that it shows.
      className="row-target grid grid-cols-1 gap-1 border-b border-kumo-hairline px-4 py-3 [contain-intrinsic-height:auto_6.5rem] [content-visibility:auto] last:border-0"
    >
      <div className="flex items-baseline justify-between gap-4">
        {selection && openerId && (
          <SelectRow
            {...{ selection, rows }}
            id={row._id}
            labelledBy={`${wordId} ${openerId}`}
            className="-my-2.5 -mr-4 -ml-3 self-center"
          />
        )}
        <Heading
          className={`min-w-0 flex-1 text-base font-medium wrap-anywhere text-kumo-strong ${heading?.look ?? ""}`}
        >
          {heading && (
            <Opener {...{ row, column: heading, onOpen }} id={openerId} className="block py-0.5 wrap-anywhere">
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
