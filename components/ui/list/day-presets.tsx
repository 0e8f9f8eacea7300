import { useTranslations } from "use-intl";
import { type RangeKind, rangeNames, rangeOf } from "./ranges";
import type { ListAddress } from "./use-address";

interface DayPresetsProps {
  of: RangeKind;
  label: string;
  address: ListAddress;
  /** Whether the label is visible, because the list has more than one range of days. */
  labelled: boolean;
}

/** Sets the first and the last day of a list with one click. */
export function DayPresets({ of, label, address: { filter, change }, labelled }: DayPresetsProps) {
  const t = useTranslations("shell.list");
  const first = `${of}_from`;
  return (
    <fieldset className="col-span-full flex min-w-0 flex-wrap gap-1.5">
      <legend className={labelled ? "mb-1.5 text-sm text-kumo-subtle" : "sr-only"}>{label}</legend>
      {rangeNames.map((name) => {
        const isSet = rangeOf(filter, of) === name;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isSet}
            onClick={() =>
              change({ cursor: undefined, [first]: isSet ? undefined : name, [`${of}_to`]: undefined }, "replace")
            }
            className="h-8 rounded-full px-3 text-sm whitespace-nowrap text-kumo-subtle ring ring-kumo-line hover:text-kumo-default aria-pressed:bg-kumo-tint aria-pressed:font-medium aria-pressed:text-kumo-strong max-sm:h-11 pointer-coarse:h-11"
          >
            {t(`ranges.${name}`)}
          </button>
        );
      })}
    </fieldset>
  );
}
