import { useTranslations } from "use-intl";

/** The rows of a list that the user has chosen for an action on all of them. */
export interface Selection {
  ids: ReadonlySet<string>;
  set: (ids: ReadonlySet<string>) => void;
}

const box = "grid size-11 shrink-0 cursor-pointer place-items-center";
const look = "size-4.5 accent-(--ink-brand)";

interface SelectRowProps {
  selection: Selection;
  id: string;
  /** Ids of the elements that name it: the word of `SelectAll` and the row's. */
  labelledBy: string;
  className?: string;
}

export function SelectRow({ selection: { ids, set }, id, labelledBy, className = "" }: SelectRowProps) {
  function toggle(): void {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    set(next);
  }
  return (
    <label className={`${box} ${className}`}>
      <input type="checkbox" className={look} checked={ids.has(id)} onChange={toggle} aria-labelledby={labelledBy} />
    </label>
  );
}

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
