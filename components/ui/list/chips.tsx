import { XIcon } from "@phosphor-icons/react/dist/ssr/X";
import { useLocale, useTranslations } from "use-intl";
import { isDay, momentWords } from "@/components/ui/moment";
import { type FilterField, type Filters, isUnclear, metadataKeyOf } from "./filter";
import { rangeKindOf, rangeOf } from "./ranges";
import type { ListAddress } from "./use-address";

interface ChipsProps {
  filters: Filters;
  address: ListAddress;
}

/** Filters that have a control in view need no chip; the order is none. */
const shownElsewhere: readonly FilterField["as"][] = ["status", "search", "select", "sort", "page"];

/** The filters behind the button that are set, each with a button that removes it. */
export function Chips({ filters, address: { filter, change } }: ChipsProps) {
  const t = useTranslations();
  const locale = useLocale();
  const set = Object.entries(filters).flatMap(([name, field]) => {
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
  if (set.length === 0) return null;

  function remove(name: string): void {
    change({ cursor: undefined, [name]: undefined }, "replace");
    document.getElementById("content")?.focus(); // the focused button disappears
  }

  return (
    <ul className="flex flex-wrap gap-2">
      {set.map(({ name, label, value }) => (
        <li
          key={name}
          className="inline-flex h-8 max-w-full items-center rounded-full bg-kumo-tint pl-3 text-sm text-kumo-default max-sm:h-11"
        >
          <span className="truncate">
            {label}: <strong className="font-medium">{value}</strong>
          </span>
          <button
            type="button"
            aria-label={t("shell.list.removeFilter", { label })}
            onClick={() => remove(name)}
            className="grid h-full w-8 shrink-0 place-items-center rounded-full text-kumo-subtle hover:text-kumo-default max-sm:w-11"
          >
            <XIcon size={14} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
