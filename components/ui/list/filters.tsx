import { FunnelSimpleIcon } from "@phosphor-icons/react/dist/ssr/FunnelSimple";
import { MagnifyingGlassIcon } from "@phosphor-icons/react/dist/ssr/MagnifyingGlass";
import { type ReactNode, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { NativeSelect, TextInput } from "@/components/ui/field";
import { intoView } from "@/components/ui/into-view";
import { Chips, useChips } from "./chips";
import { type FilterField, type Filters, isUnclear, metadataKeyOf } from "./filter";
import { type ControlProps, FilterPanel, Options } from "./filter-panel";
import { withDays } from "./ranges";
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
  const given = more.filter(([name, { as }]) => as !== "sort" && filter[name]);
  const unclear = given.filter(([name, field]) => isUnclear(field, filter[name] ?? ""));
  const set = given.length - unclear.length + Object.keys(filter).filter(metadataKeyOf).length;
  const [toggled, setToggled] = useState<boolean>();
  // No chip shows an amount that is not applied, but its field says why.
  const open = toggled ?? unclear.length > 0;
  const id = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const chips = useChips(filters, filter);
  const clear = (names: string[]) =>
    change({ cursor: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) }, "replace");
  const clearAll = () => clear([...chips.map(({ name }) => name), ...unclear.map(([name]) => name)]);
  const chipList = <Chips chips={chips} onRemove={(name) => clear([name])} onClear={clearAll} />;
  if (fields.every(([, { as }]) => as === "none")) return <div className="mb-4 empty:hidden">{chipList}</div>;

  function showResults(): void {
    setToggled(false);
    toggle.current?.focus({ preventScroll: true });
    toggle.current?.scrollIntoView({ block: "nearest" }); // the chips and the list are below it
  }

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
                ref={toggle}
                variant="secondary"
                className="scroll-mt-28"
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
        <FilterPanel
          id={id}
          open={open}
          filters={filters}
          address={address}
          controls={more.map((entry) => [entry[0], control(entry)])}
          onClear={chips.length > 0 ? clearAll : undefined}
          onShowResults={showResults}
        />
      )}
      {chipList}
    </div>
  );
}

/** `created_from` and `created_to`, for either name. */
function daysOfPair(days: ListAddress["filter"], name: string): ListAddress["filter"] {
  const pair = name.replace(/_(from|to)$/, "");
  return Object.fromEntries([`${pair}_from`, `${pair}_to`].map((each) => [each, days[each]]));
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
            className="h-8 rounded-full px-3 pointer-coarse:h-11 pointer-coarse:min-w-11 text-base whitespace-nowrap text-kumo-subtle hover:text-kumo-default aria-pressed:bg-kumo-base aria-pressed:font-medium aria-pressed:text-kumo-strong aria-pressed:shadow-xs aria-pressed:ring aria-pressed:ring-kumo-line"
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
  const [typed, setTyped, input] = useDebouncedText(value, onChange);
  return (
    <search className="relative w-full min-w-0 sm:w-72 xl:w-80">
      <MagnifyingGlassIcon
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-kumo-subtle"
      />
      <TextInput
        ref={input}
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
