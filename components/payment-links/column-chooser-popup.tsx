import { Popover } from "@cloudflare/kumo/components/popover";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { PopoverPopup } from "@/components/ui/popover-popup";
import type { PopupProps } from "@/components/ui/popup-button";
import { allColumns, type Column } from "./filter";

interface ColumnChooserPopupProps extends PopupProps {
  columns: Column[];
  onChange: (columns: Column[]) => void;
}

export function ColumnChooserPopup({ columns, onChange, ...popup }: ColumnChooserPopupProps) {
  const t = useTranslations("paymentLinks");
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
    <PopoverPopup {...popup} className="p-2">
      <Popover.Title className="px-2 pt-1 pb-2 text-sm font-medium text-kumo-subtle">
        {t("list.chooseColumns")}
      </Popover.Title>
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
              {t(`columns.${column}`)}
            </label>
          </li>
        ))}
      </ul>
    </PopoverPopup>
  );
}
