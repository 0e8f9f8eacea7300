import { useRef } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import type en from "@/messages/en";
import { DayPresets } from "./day-presets";
import { type FilterField, type Filters, isUnclear, partialOrders } from "./filter";
import { MetadataFilter } from "./metadata-filter";
import { rangeKinds } from "./ranges";
import type { ListAddress } from "./use-address";
import { useDebouncedText } from "./use-debounced-text";

export interface ControlProps {
  field: FilterField;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

interface FilterPanelProps {
  id: string;
  open: boolean;
  filters: Filters;
  address: ListAddress;
  /** The controls by their filters' names. */
  controls: [name: string, control: ControlProps][];
  /** Undefined if no filter is set. */
  onClear: (() => void) | undefined;
  onShowResults: () => void;
}

/** The filters behind the button "Filters". On a phone, they cover the list, so a bar at the bottom leads back to it. */
export function FilterPanel({ id, open, filters, address, controls, onClear, onShowResults }: FilterPanelProps) {
  const t = useTranslations("shell.list");
  const texts = useTranslations();
  const results = useRef<HTMLButtonElement>(null);
  const kinds = rangeKinds.filter((kind) => `${kind}_from` in filters);
  return (
    <fieldset
      id={id}
      hidden={!open}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-xl bg-kumo-base p-4 ring ring-kumo-line min-[22rem]:grid-cols-2 lg:grid-cols-4 max-sm:[&_:is(input,select)]:scroll-mb-24 [&[hidden]]:hidden"
    >
      <legend className="sr-only">{t("moreFilters")}</legend>
      {kinds.map((kind) => (
        <DayPresets
          key={kind}
          of={kind}
          label={filters[`${kind}_from`]?.rangeLabel?.(texts) ?? t(`ranges.${kind}`)}
          address={address}
          labelled={kinds.length > 1}
        />
      ))}
      {controls.map(([name, control]) =>
        control.field.as === "metadata" ? (
          <MetadataFilter
            key={name}
            onAdd={(name, value) => address.change({ cursor: undefined, [name]: value }, "replace")}
          />
        ) : (
          <FurtherFilter key={name} {...control} className={placeOnPhone(name, control.field)} />
        ),
      )}
      <div className="sticky bottom-(--bottom-bar) z-10 col-span-full -mx-4 -mb-4 flex gap-2 rounded-b-xl border-t border-kumo-hairline bg-kumo-base px-4 py-3 sm:hidden">
        {onClear && (
          <Button
            variant="ghost"
            className="max-sm:h-11"
            onClick={() => {
              onClear();
              results.current?.focus(); // the focused button disappears
            }}
          >
            {t("clearAll")}
          </Button>
        )}
        <Button ref={results} variant="primary" className="flex-1 justify-center max-sm:h-11" onClick={onShowResults}>
          {t("showResults")}
        </Button>
      </div>
    </fieldset>
  );
}

/** From and to are side by side, and short choices too. Longer texts take the whole line. */
function placeOnPhone(name: string, { as }: FilterField): string {
  if (name.endsWith("_from")) return "max-sm:col-start-1";
  return name.endsWith("_to") || as === "choice" ? "" : "max-sm:col-span-full";
}

export function Options({ choices = [], words, all, usual }: FilterField) {
  const t = useTranslations();
  return (
    <>
      {!usual && <option value="">{all ? all(t) : t("shell.list.any")}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {words ? words(choice, t) : choice}
        </option>
      ))}
    </>
  );
}

interface FurtherProps extends ControlProps {
  className: string;
}

function FurtherFilter(props: FurtherProps) {
  const t = useTranslations();
  const { field, value = "", onChange, className } = props;
  const { as, label } = field;
  if (as === "sort") return <OrderChoice {...props} />;
  if (as !== "choice") return <TextFilter {...props} />;
  return (
    <Field label={label?.(t) ?? ""} className={className}>
      {(control) => (
        <NativeSelect {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <Options {...field} />
        </NativeSelect>
      )}
    </Field>
  );
}

function TextFilter({ field, value = "", onChange, className }: FurtherProps) {
  const { as, label } = field;
  const t = useTranslations();
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <Field
      label={label?.(t) ?? ""}
      className={className}
      error={value && isUnclear(field, value) ? t("shell.list.amountUnclear") : undefined}
    >
      {(control) => (
        <TextInput
          {...control}
          type={as === "date" ? "date" : "text"}
          inputMode={as === "email" ? "email" : as === "amount" ? "decimal" : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Field>
  );
}

/** For cards: in a table, the headings change the order. */
function OrderChoice({ field: { choices = [], usual }, value, onChange, className }: FurtherProps) {
  const t = useTranslations("shell.list");
  return (
    <div className={`lg:hidden ${className}`}>
      <Field label={t("order")}>
        {(control) => (
          <NativeSelect
            {...control}
            value={value ?? usual ?? ""}
            onChange={({ target }) => onChange(target.value === usual ? undefined : target.value)}
          >
            {!usual && <option value="">{t("orders.-created_at")}</option>}
            {choices.filter(isOrder).map((choice) => (
              <option key={choice} value={choice}>
                {t(`orders.${choice}`)}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
    </div>
  );
}

const isOrder = (name: string): name is keyof (typeof en)["shell"]["list"]["orders"] =>
  ["created_at", "amount", "email", ...partialOrders].includes(name.replace("-", ""));
