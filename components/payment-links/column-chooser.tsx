"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Popover } from "@cloudflare/kumo/components/popover";
import { ColumnsIcon } from "@phosphor-icons/react/dist/ssr/Columns";
import { allColumns, type Column, columnLabels } from "./filter";

/** Which columns the table has. Title and amount are always there. */
export function ColumnChooser({ columns, onChange }: { columns: Column[]; onChange: (columns: Column[]) => void }) {
  const toggle = (column: Column): void =>
    onChange(allColumns.filter((each) => (each === column ? !columns.includes(each) : columns.includes(each))));
  return (
    <Popover>
      <Popover.Trigger
        render={
          <Button variant="secondary" icon={<ColumnsIcon size={16} />}>
            Columns
          </Button>
        }
      />
      <Popover.Content align="start" className="p-2">
        <Popover.Title className="px-2 pt-1 pb-2 text-sm font-medium text-kumo-subtle">Columns</Popover.Title>
        <ul>
          {allColumns.map((column) => (
            <li key={column}>
              <label className="flex items-center gap-2.5 rounded px-2 py-1.5 text-base hover:bg-kumo-tint">
                <input
                  type="checkbox"
                  checked={columns.includes(column)}
                  onChange={() => toggle(column)}
                  className="size-4.5 accent-(--ink-brand)"
                />
                {columnLabels[column]}
              </label>
            </li>
          ))}
        </ul>
      </Popover.Content>
    </Popover>
  );
}
