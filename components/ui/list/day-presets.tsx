import { useTranslations } from "use-intl";
import { rangesUntil } from "./ranges";
import type { ListAddress } from "./use-address";

interface DayPresetsProps {
  /** Which filters it sets: `created_from` and `created_to`, or `ended_from` and `ended_to`. */
  of: "created" | "ended";
  /** YYYY-MM-DD, in the business's time zone. */
  today: string;
  address: ListAddress;
}

/** Sets the first and the last day of a list with one click. */
export function DayPresets({ of, today, address: { filter, show } }: DayPresetsProps) {
  const t = useTranslations("shell.list");
  const [first, last] = [`${of}_from`, `${of}_to`];
  return (
    <fieldset className="col-span-full flex min-w-0 flex-wrap gap-1.5">
      <legend className="sr-only">{t(`ranges.${of}`)}</legend>
      {rangesUntil(today).map(({ name, from, to }) => {
        const isSet = filter[first] === from && filter[last] === to;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isSet}
            onClick={() =>
              show(
                { ...filter, cursor: undefined, [first]: isSet ? undefined : from, [last]: isSet ? undefined : to },
                "replace",
              )
            }
            className="h-8 rounded-full px-3 text-sm whitespace-nowrap text-kumo-subtle ring ring-kumo-line hover:text-kumo-default aria-pressed:bg-kumo-tint aria-pressed:font-medium aria-pressed:text-kumo-strong max-sm:h-11"
          >
            {t(`ranges.${name}`)}
          </button>
        );
      })}
    </fieldset>
  );
}
