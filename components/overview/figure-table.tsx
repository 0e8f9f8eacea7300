import type { ReactNode } from "react";

interface FigureTableProps {
  caption: string;
  columns: string[];
  rows: { key: string; cells: ReactNode[] }[];
  totals?: { key: string; cells: ReactNode[] }[];
}

export function FigureTable({ caption, columns, rows, totals = [] }: FigureTableProps) {
  return (
    <table className="w-full text-base">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="text-left text-sm text-kumo-subtle">
          {columns.map((column, index) => (
            <th key={column} scope="col" className={`py-2 font-medium ${index > 0 ? "pl-3 text-right" : ""}`}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <Row key={key} cells={cells} className="border-kumo-hairline" headClass="font-normal" />
        ))}
      </tbody>
      <tfoot>
        {totals.map(({ key, cells }) => (
          <Row key={key} cells={cells} className="border-kumo-line font-semibold" />
        ))}
      </tfoot>
    </table>
  );
}

function Row({
  cells: [head, ...cells],
  className,
  headClass = "",
}: {
  cells: ReactNode[];
  className: string;
  headClass?: string;
}) {
  return (
    <tr className={`border-t ${className}`}>
      <th scope="row" className={`py-2 text-left ${headClass}`}>
        {head}
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move
        <td key={index} className="py-2 pl-3 text-right tabular-nums">
          {cell}
        </td>
      ))}
    </tr>
  );
}
