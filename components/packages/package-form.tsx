"use client";

import { LockSimpleIcon } from "@phosphor-icons/react/dist/ssr/LockSimple";
import type { ReactNode } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { CurrencySelect, useCurrencyName } from "@/components/ui/currency-select";
import { Field, NativeSelect, TextArea, TextInput } from "@/components/ui/field";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { frequencies, type PackageWithCounts } from "@/lib/resources/packages/contract";
import { useSavePackage } from "@/lib/resources/packages/queries";
import { useOwnCurrency } from "@/lib/resources/settings/queries";
import { emptyValues, type PackageValues, packageFields, resolver, reword, toBody, valuesOf } from "./form-values";
import { useFirstCharge } from "./words";

interface PackageFormProps {
  /** Null for a new one. */
  pkg: PackageWithCounts | null;
  onSaved: () => void;
}

export function PackageForm(props: PackageFormProps) {
  const ownCurrency = useOwnCurrency();
  const currency = props.pkg?.currency ?? ownCurrency;
  return currency && <Form {...props} currency={currency} />;
}

function Form({ pkg, currency, onSaved }: PackageFormProps & { currency: string }) {
  const t = useTranslations("packages.form");
  const frequencyOf = useTranslations("packages.frequency");
  const zone = useTimeZone() ?? "UTC";
  const toasts = useToasts();
  const save = useSavePackage();
  const used = pkg !== null && pkg.subscriber_count > 0;
  const form = useSheetForm<PackageValues>({
    resolver,
    defaultValues: pkg ? valuesOf(pkg) : emptyValues(currency),
    fields: packageFields,
    reword,
    send: async (values, idempotencyKey) => {
      const { name } = await save.mutateAsync({ was: pkg, body: toBody(values), idempotencyKey });
      toasts.add({ title: t(pkg ? "saved" : "created", { name }) });
      onSaved();
    },
  });
  const { register, errorOf } = form;

  const amount = (
    <Field label={t("amount")} error={errorOf("amount")} hint={t(used ? "amountHintUsed" : "amountHint")}>
      {(control) => (
        <TextInput
          {...control}
          {...register("amount")}
          inputMode="decimal"
          autoComplete="off"
          placeholder={t("amountPlaceholder")}
          className="tabular-nums"
        />
      )}
    </Field>
  );

  return (
    <SheetForm
      label={t(pkg ? "editLabel" : "createLabel")}
      action={t(pkg ? "editAction" : "createAction")}
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field label={t("name")} error={errorOf("name")} hint={t("nameHint")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="off" />}
      </Field>
      {used ? (
        <>
          {amount}
          <Agreed pkg={pkg} />
        </>
      ) : (
        <>
          <div className="grid grid-cols-[1fr_9.5rem] gap-3">
            {amount}
            <Field label={t("currency")} error={errorOf("currency")}>
              {(control) => <CurrencySelect {...control} {...register("currency")} />}
            </Field>
          </div>
          <Field label={t("charged")} error={errorOf("frequency")}>
            {(control) => (
              <NativeSelect {...control} {...register("frequency")}>
                {frequencies.map((frequency) => (
                  <option key={frequency} value={frequency}>
                    {frequencyOf(frequency)}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
          <Field
            label={t("firstCharge")}
            optional
            error={errorOf("date_charge_start")}
            hint={t("firstChargeHint", { zone })}
          >
            {(control) => <TextInput {...control} {...register("date_charge_start")} type="date" />}
          </Field>
        </>
      )}
      <Field label={t("description")} optional error={errorOf("description")}>
        {(control) => <TextArea {...control} {...register("description")} rows={3} />}
      </Field>
    </SheetForm>
  );
}

/** The fields that are fixed while the package has subscribers, and why. */
function Agreed({ pkg }: { pkg: PackageWithCounts }) {
  const t = useTranslations("packages.form");
  const frequencyOf = useTranslations("packages.frequency");
  const currencyName = useCurrencyName();
  const firstCharge = useFirstCharge();
  const { currency, frequency, subscriber_count: count } = pkg;
  return (
    <section className="rounded-lg bg-kumo-recessed px-4 py-3" aria-label={t("agreed")}>
      <dl className="grid grid-cols-[8rem_1fr] gap-y-1.5 text-base">
        <Line term={t("currency")}>{`${currency} – ${currencyName(currency)}`}</Line>
        <Line term={t("charged")}>{frequencyOf(frequency)}</Line>
        <Line term={t("firstCharge")}>{firstCharge(pkg)}</Line>
      </dl>
      <p className="mt-2.5 flex items-start gap-1.5 text-sm leading-snug text-kumo-subtle">
        <LockSimpleIcon size={14} className="mt-0.5 shrink-0" aria-hidden />
        {t("agreedWhy", { count })}
      </p>
    </section>
  );
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-kumo-subtle">{term}</dt>
      <dd className="min-w-0 text-kumo-default wrap-anywhere">{children}</dd>
    </>
  );
}
