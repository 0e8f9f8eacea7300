import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useLocale, useTranslations } from "use-intl";
import { focusPage } from "@/components/ui/focus-later";
import { isDay, momentWords } from "@/components/ui/moment";
import { type FilterField, type Filters, isUnclear, metadataKeyOf } from "./filter";
import { rangeKindOf, rangeOf } from "./ranges";
import type { ListAddress } from "./use-address";

interface Chip {
  /** The filter's. */
  name: string;
  label: string;
  value: string;
}

/** Filters that have a control in view need no chip; the order is none. */
const shownElsewhere: readonly FilterField["as"][] = ["status", "search", "select", "sort", "page"];

/** The filters behind the button that are set. */
export function useChips(filters: Filters, filter: ListAddress["filter"]): Chip[] {
  const t = useTranslations();
  const locale = useLocale();
  const set = Object.entries(filters).flatMap(([name, field]): Chip[] => {
    const value = filter[name];
    if (!value || shownElsewhere.includes(field.as) || isUnclear(field, value)) return [];
    const label = field.label?.(t);
    if (!label) return [];
    const kind = rangeKindOf(name);
    const range = kind && rangeOf(filter, kind);
    const of = kind && (field.rangeLabel?.(t) ?? t(`shell.list.ranges.${kind}`));
    if (of && range) return [{ name, label: of, value: t(`shell.list.ranges.${range}`) }];
    const shown = field.as === "date" && isDay(value) ? momentWords(value, "UTC", false, locale) : value;
    return [{ name, label, value: field.words?.(value, t) ?? shown }];
  });
  for (const [name, value] of Object.entries(filter)) {
    const key = metadataKeyOf(name);
    if (key && value) set.push({ name, label: t("shell.list.metadata.chip", { key }), value });
  }
  return set;
}

interface ChipsProps {
  chips: Chip[];
  onRemove: (name: string) => void;
  onClear: () => void;
}

/** Each chip has a button that removes its filter. */
export function Chips({ chips, onRemove, onClear }: ChipsProps) {
  const t = useTranslations("shell.list");
  if (chips.length === 0) return null;

  function remove(clear: () => void): void {
    clear();
    focusPage(); // the focused button disappears
  }

  return (
    <ul className="flex flex-wrap gap-2">
      {chips.map(({ name, label, value }) => (
        <li
          key={name}
          className="inline-flex h-8 max-w-full items-center rounded-full bg-kumo-tint pl-3 text-sm text-kumo-default max-sm:h-11 pointer-coarse:h-11"
        >
          <span className="truncate">
            {label}: <strong className="font-medium">{value}</strong>
          </span>
          <button
            type="button"
            aria-label={t("removeFilter", { label })}
            onClick={() => remove(() => onRemove(name))}
            className="grid h-full w-8 shrink-0 place-items-center rounded-full text-kumo-subtle hover:text-kumo-default max-sm:w-11 pointer-coarse:w-11"
          >
            <XIcon size={14} aria-hidden />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <button
            type="button"
            onClick={() => remove(onClear)}
            className="h-8 rounded-full px-3 text-sm text-kumo-subtle hover:text-kumo-default max-sm:h-11 pointer-coarse:h-11"
          >
            {t("clearAll")}
          </button>
        </li>
      )}
    </ul>
  );
}
