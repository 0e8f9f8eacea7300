"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { Popover } from "@cloudflare/kumo/components/popover";
import { ColumnsIcon } from "@phosphor-icons/react/dist/ssr/Columns";
import { useEffect, useState } from "react";
import { allColumns, type Column, columnLabels } from "./filter";

/** Which columns the table has. Title and amount are always there. */
export function ColumnChooser({ columns, onChange }: { columns: Column[]; onChange: (columns: Column[]) => void }) {
  // What was clicked shows at once, before the address has it; what the address says later (Back) counts.
  const [chosen, setChosen] = useState(columns);
  const addressed = columns.join();
  useEffect(() => setChosen(allColumns.filter((column) => addressed.split(",").includes(column))), [addressed]);
  function toggle(column: Column): void {
    const next = allColumns.filter((each) => (each === column ? !chosen.includes(each) : chosen.includes(each)));
    setChosen(next);
    onChange(next);
  }
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
                  checked={chosen.includes(column)}
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
