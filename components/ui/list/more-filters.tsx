"use client";

import { FunnelSimpleIcon } from "@phosphor-icons/react/dist/ssr/FunnelSimple";
import { type ReactNode, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import type { Order } from "./sort-head";
import { useRested } from "./use-rested";

interface MoreFiltersProps {
  /** How many of them are set. */
  set: number;
  /** What else stands in the row of the button. */
  beside?: ReactNode;
  children: ReactNode;
}

/** Filters that are not needed every day, behind a button that says how many are set. */
export function MoreFilters({ set, beside, children }: MoreFiltersProps) {
  const t = useTranslations("shell.list");
  const [open, setOpen] = useState(set > 0);
  const id = useId();
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          icon={<FunnelSimpleIcon size={16} />}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {t("filters", { set })}
        </Button>
        {beside}
      </div>
      <fieldset
        id={id}
        hidden={!open}
        className="col-span-full grid min-w-0 grid-cols-1 gap-3 rounded-xl bg-kumo-base p-4 ring ring-kumo-line min-[26rem]:grid-cols-2 lg:grid-cols-4 [&[hidden]]:hidden"
      >
        <legend className="sr-only">{t("moreFilters")}</legend>
        {children}
      </fieldset>
    </>
  );
}

interface TextFilterProps {
  label: string;
  type?: "text" | "email" | "date";
  value: string | undefined;
  onChange: (value: string) => void;
  hint?: string;
}

/** One that is typed: sent when the typing rests, as the search is. */
export function TextFilter({ label, type = "text", value = "", onChange, hint }: TextFilterProps) {
  const [typed, setTyped] = useRested(value, onChange);
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <TextInput
          {...control}
          type={type === "email" ? "text" : type}
          inputMode={type === "email" ? "email" : undefined}
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

interface ChoiceFilterProps {
  label: string;
  /** [value, label], without the one that means all. */
  choices: readonly (readonly [string, string])[];
  value: string | undefined;
  onChange: (value: string) => void;
}

export function ChoiceFilter({ label, choices, value = "", onChange }: ChoiceFilterProps) {
  const t = useTranslations("shell.list");
  return (
    <Field label={label}>
      {(control) => (
        <NativeSelect {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{t("any")}</option>
          {choices.map(([choice, words]) => (
            <option key={choice} value={choice}>
              {words}
            </option>
          ))}
        </NativeSelect>
      )}
    </Field>
  );
}

/** The order, where there is no column to turn it round by: below the width of a table. */
export function OrderChoice({ order, onOrder }: { order: Order; onOrder: (order: Order) => void }) {
  const t = useTranslations("shell.list");
  return (
    <div className="lg:hidden">
      <Field label={t("order")}>
        {(control) => (
          <NativeSelect
            {...control}
            value={order}
            onChange={({ target }) => onOrder(target.value === "created_at" ? "created_at" : "-created_at")}
          >
            <option value="-created_at">{t("newestFirst")}</option>
            <option value="created_at">{t("oldestFirst")}</option>
          </NativeSelect>
        )}
      </Field>
    </div>
  );
}
