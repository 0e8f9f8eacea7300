import { useTranslations } from "use-intl";
import { NativeSelect } from "@/components/ui/field";
import { type EventType, eventTypeNames } from "@/lib/resources/events/types";

interface TypeFilterProps {
  type: EventType | undefined;
  onChange: (type: EventType | undefined) => void;
}

/** One type of event or all. */
export function TypeFilter({ type, onChange }: TypeFilterProps) {
  const t = useTranslations("events.typeFilter");
  return (
    <NativeSelect
      aria-label={t("label")}
      className="lg:w-72"
      value={type ?? ""}
      onChange={({ target }) => onChange(readType(target.value))}
    >
      <option value="">{t("all")}</option>
      {eventTypeNames.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}

/** What an address says of a type; what it cannot mean is left out. */
export const readType = (value: string | null): EventType | undefined => eventTypeNames.find((name) => name === value);
