import { type ChangeEvent, type RefObject, useRef, useState } from "react";
import { useTranslations } from "use-intl";

/** The rows of a list that the user has chosen for an action on all of them. */
export interface Selection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
  /** The row that was selected or cleared last: a click with Shift changes all rows from it on. */
  last: RefObject<string | undefined>;
}

export function useSelection(): Selection {
  const [ids, set] = useState<ReadonlySet<string>>(new Set());
  return { ids, set, last: useRef<string>(undefined) };
}

// Not selectable: a click with Shift would select the texts between.
const box = "grid size-11 shrink-0 cursor-pointer place-items-center select-none";
const look = "size-4.5 accent-(--ink-brand)";

interface SelectRowProps {
  selection: Selection;
  rows: readonly { _id: string }[];
  id: string;
  /** Ids of the elements that name it: the word of `SelectAll` and the row's. */
  labelledBy: string;
  className?: string;
}

export function SelectRow({ selection: { ids, set, last }, rows, id, labelledBy, className = "" }: SelectRowProps) {
  function toggle({ target, nativeEvent }: ChangeEvent<HTMLInputElement>): void {
    const withShift = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey; // a checkbox changes with a click
    const indexOf = (id: string | undefined) => rows.findIndex(({ _id }) => _id === id);
    const to = indexOf(id);
    const from = withShift && indexOf(last.current) !== -1 ? indexOf(last.current) : to;
    const next = new Set(ids);
    for (const { _id } of rows.slice(Math.min(from, to), Math.max(from, to) + 1))
      if (target.checked) next.add(_id);
      else next.delete(_id);
    last.current = id;
    set(next);
  }
  return (
    <label className={`${box} ${className}`}>
      <input
        type="checkbox"
        data-select-row
        className={look}
        checked={ids.has(id)}
        onChange={toggle}
        aria-labelledby={labelledBy}
      />
    </label>
  );
}

export const findSelectAll = () => document.querySelector<HTMLElement>("[data-select-all]");

interface SelectAllProps {
  selection: Selection;
  rows: readonly { _id: string }[];
  /** The id of the word "Select", for the checkboxes of the rows. */
  wordId: string;
  /** Beside the checkbox; otherwise the words are for screen readers alone. */
  worded?: boolean;
}

export function SelectAll({ selection: { ids, set }, rows, wordId, worded = false }: SelectAllProps) {
  const t = useTranslations("shell.list.selection");
  const all = rows.every(({ _id }) => ids.has(_id));
  const some = rows.some(({ _id }) => ids.has(_id));
  return (
    <label className={worded ? "flex min-h-11 w-max items-center gap-3 px-4 text-base text-kumo-subtle" : box}>
      <input
        type="checkbox"
        data-select-all
        className={look}
        checked={all}
        ref={(input) => {
          if (input) input.indeterminate = some && !all;
        }}
        onChange={() => set(all ? new Set() : new Set(rows.map(({ _id }) => _id)))}
      />
      <span className={worded ? "" : "sr-only"}>{t("all")}</span>
      <span id={wordId} hidden>
        {t("select")}
      </span>
    </label>
  );
}
