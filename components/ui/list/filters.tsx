import { FunnelSimpleIcon } from "@phosphor-icons/react/dist/ssr/FunnelSimple";
import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { intoView } from "@/components/ui/into-view";
import type en from "@/messages/en";
import { Chips } from "./chips";
import { DayPresets } from "./day-presets";
import { type FilterField, type Filters, isUnclear, metadataKeyOf, partialOrders } from "./filter";
import { MetadataFilter } from "./metadata-filter";
import { rangeKinds, withDays } from "./ranges";
import type { ListAddress } from "./use-address";
import { useDebouncedText } from "./use-debounced-text";

interface FilterBarProps {
  filters: Filters;
  address: ListAddress;
  children?: ReactNode;
}

const inView = ["search", "select"];
const further = ["text", "email", "amount", "date", "choice", "metadata", "sort"];

/** Any change returns to the first page: a cursor is only valid for its own query. */
export function FilterBar({ filters, address, children }: FilterBarProps) {
  const t = useTranslations("shell.list");
  const texts = useTranslations();
  const { filter, show, change, today } = address;
  const days = withDays(filter, today);
  const fields = Object.entries(filters);
  const status = fields.find(([, { as }]) => as === "status");
  const always = fields.filter(([, { as }]) => inView.includes(as));
  const more = fields.filter(([, { as }]) => further.includes(as));
  const control = ([name, { alone, ...field }]: [string, FilterField]): ControlProps => ({
    field,
    value: days[name],
    onChange: (value) => {
      // A range ends when one of its days changes: the other is the range's, too.
      const others = days[name] === filter[name] ? {} : daysOfPair(days, name);
      const part = { ...others, cursor: undefined, [name]: value || undefined };
      if (alone) show(part, "replace");
      else change(part, "replace");
    },
  });
  const kinds = rangeKinds.filter((kind) => `${kind}_from` in filters);
  const given = more.filter(([name, { as }]) => as !== "sort" && filter[name]);
  const unclear = given.filter(([name, field]) => isUnclear(field, filter[name] ?? ""));
  const set = given.length - unclear.length + Object.keys(filter).filter(metadataKeyOf).length;
  const [toggled, setToggled] = useState<boolean>();
  // No chip shows an amount that is not applied, but its field says why.
  const open = toggled ?? unclear.length > 0;
  const id = useId();
  const chips = <Chips filters={filters} address={address} />;
  if (fields.every(([, { as }]) => as === "none")) return <div className="mb-4 empty:hidden">{chips}</div>;
  return (
    <div className="mb-4 grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {status && <StatusButtons {...control(status)} />}
        <div className="flex min-w-0 flex-wrap gap-2 empty:hidden max-sm:w-full">
          {always.map((entry) =>
            entry[1].as === "search" ? (
              <Search key={entry[0]} {...control(entry)} />
            ) : (
              <Select key={entry[0]} {...control(entry)} />
            ),
          )}
          {/* On a phone, one row that scrolls sideways. */}
          <div className="flex min-w-0 gap-2 empty:hidden max-sm:scroll-sideways max-sm:-mx-4 max-sm:max-w-[100vw] max-sm:px-4 max-sm:py-1 sm:flex-wrap [&>*]:shrink-0">
            {more.length > 0 && (
              <Button
                variant="secondary"
                icon={<FunnelSimpleIcon size={16} />}
                aria-expanded={open}
                aria-controls={id}
                onClick={() => setToggled(!open)}
              >
                {t("filters", { set })}
              </Button>
            )}
            {children}
          </div>
        </div>
      </div>
      {more.length > 0 && (
        <fieldset
          id={id}
          hidden={!open}
          className="grid min-w-0 grid-cols-1 gap-3 rounded-xl bg-kumo-base p-4 ring ring-kumo-line min-[26rem]:grid-cols-2 lg:grid-cols-4 [&[hidden]]:hidden"
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
          {more.map((entry) =>
            entry[1].as === "metadata" ? (
              <MetadataFilter
                key={entry[0]}
                onAdd={(name, value) => change({ cursor: undefined, [name]: value }, "replace")}
              />
            ) : (
              <FurtherFilter key={entry[0]} {...control(entry)} />
            ),
          )}
        </fieldset>
      )}
      {chips}
    </div>
  );
}

/** `created_from` and `created_to`, for either name. */
function daysOfPair(days: ListAddress["filter"], name: string): ListAddress["filter"] {
  const pair = name.replace(/_(from|to)$/, "");
  return Object.fromEntries([`${pair}_from`, `${pair}_to`].map((each) => [each, days[each]]));
}

interface ControlProps {
  field: FilterField;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function StatusButtons({ field: { choices = [], words }, value, onChange }: ControlProps) {
  const t = useTranslations();
  return (
    <fieldset onFocus={intoView} className="scroll-sideways -mx-4 max-w-[100vw] min-w-0 px-4 py-1 md:-mx-1 md:px-1">
      <legend className="sr-only">{t("shell.list.status")}</legend>
      <div className="inline-flex gap-1">
        {[undefined, ...choices].map((choice) => (
          <button
            key={choice ?? ""}
            type="button"
            aria-pressed={value === choice}
            onClick={() => onChange(choice)}
            className="h-8 rounded-full px-3 text-base whitespace-nowrap text-kumo-subtle hover:text-kumo-default aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-strong aria-pressed:shadow-xs aria-pressed:ring aria-pressed:ring-kumo-line"
          >
            {choice ? words?.(choice, t) : t("shell.list.all")}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Search({ field: { label, placeholder }, value = "", onChange }: ControlProps) {
  const t = useTranslations();
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <search className="relative w-full min-w-0 sm:w-72 xl:w-80">
      <MagnifyingGlassIcon
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-kumo-subtle"
      />
      <TextInput
        type="search"
        aria-label={label?.(t)}
        placeholder={placeholder?.(t)}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="pl-9"
      />
    </search>
  );
}

function Options({ choices = [], words, all, usual }: FilterField) {
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

function Select({ field, value, onChange }: ControlProps) {
  const t = useTranslations();
  return (
    <NativeSelect
      aria-label={field.label?.(t)}
      className="min-w-0 flex-1 basis-36 sm:w-48 sm:flex-none"
      value={value ?? field.usual ?? ""}
      onChange={({ target }) => onChange(target.value === field.usual ? undefined : target.value)}
    >
      <Options {...field} />
    </NativeSelect>
  );
}

function FurtherFilter(props: ControlProps) {
  const t = useTranslations();
  const { field, value = "", onChange } = props;
  const { as, label } = field;
  if (as === "sort") return <OrderChoice {...props} />;
  if (as !== "choice") return <TextFilter {...props} />;
  return (
    <Field label={label?.(t) ?? ""}>
      {(control) => (
        <NativeSelect {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <Options {...field} />
        </NativeSelect>
      )}
    </Field>
  );
}

function TextFilter({ field, value = "", onChange }: ControlProps) {
  const { as, label } = field;
  const t = useTranslations();
  const [typed, setTyped] = useDebouncedText(value, onChange);
  return (
    <Field
      label={label?.(t) ?? ""}
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
function OrderChoice({ field: { choices = [], usual }, value, onChange }: ControlProps) {
  const t = useTranslations("shell.list");
  return (
    <div className="lg:hidden">
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
