import { ColumnsIcon } from "@phosphor-icons/react/dist/ssr/Columns";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { Column } from "./columns";
import { usualColumns } from "./rows";

interface ColumnChooserProps<Row> {
  columns: readonly Column<Row>[];
  /** From the address; undefined for the default columns. */
  chosen: readonly string[] | undefined;
  /** @param columns for the address; undefined for the default columns */
  onChange: (columns: string | undefined) => void;
}

export function ColumnChooser<Row>({ columns, chosen, onChange }: ColumnChooserProps<Row>) {
  const t = useTranslations();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const usual = usualColumns(columns).join();
  // Optimistic: the address follows later, and Back may change it.
  const addressed = chosen?.join() ?? usual;
  const [keys, setKeys] = useState(addressed);
  useEffect(() => setKeys(addressed), [addressed]);
  const choices = columns.filter(({ choice }) => choice);
  if (choices.length === 0) return null;
  const isOfPage = (key: string): boolean => keys.split(",").includes(key);

  function toggle(key: string): void {
    const next = choices.filter((each) => (each.key === key ? !isOfPage(key) : isOfPage(each.key)));
    const text = next.map((each) => each.key).join() || "none";
    setKeys(text);
    onChange(text === usual ? undefined : text);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the controls in it
    <div
      className="relative max-md:hidden"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
      onKeyDown={({ key }) => {
        if (key !== "Escape" || !open) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <Button
        ref={button}
        variant="secondary"
        icon={<ColumnsIcon size={16} />}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {t("shell.list.columns")}
      </Button>
      <fieldset
        id={id}
        hidden={!open}
        tabIndex={-1}
        className="absolute top-full left-0 z-10 mt-1.5 w-52 rounded-xl bg-kumo-base p-2 shadow-lg ring ring-kumo-line outline-none"
      >
        <legend className="sr-only">{t("shell.list.columns")}</legend>
        {choices.map(({ key, label }) => (
          <label
            key={key}
            className="flex items-center gap-2.5 rounded px-2 py-1.5 text-base hover:bg-kumo-tint pointer-coarse:min-h-11"
          >
            <input
              type="checkbox"
              checked={isOfPage(key)}
              onChange={() => toggle(key)}
              className="size-4.5 accent-(--ink-brand)"
            />
            {label(t)}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
