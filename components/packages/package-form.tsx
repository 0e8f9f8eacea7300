"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { LockSimpleIcon } from "@phosphor-icons/react/dist/ssr/LockSimple";
import type { ReactNode } from "react";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Field, NativeSelect, TextArea, TextInput } from "@/components/ui/field";
import { currencies } from "@/lib/money";
import { frequencies, type PackageWithCounts } from "@/lib/packages/contract";
import { useSavePackage } from "@/lib/packages/queries";
import { useTimeZone } from "@/lib/test-clock/queries";
import { emptyValues, type PackageValues, packageFields, resolver, reword, toBody, valuesOf } from "./form-values";
import { dayWords, frequencyLabels } from "./words";

const names = new Intl.DisplayNames("en", { type: "currency" });

interface PackageFormProps {
  /** Null for a new one. */
  pkg: PackageWithCounts | null;
  currency: string;
  onSaved: () => void;
}

export function PackageForm({ pkg, currency, onSaved }: PackageFormProps) {
  const zone = useTimeZone() ?? "UTC";
  const toasts = useKumoToastManager();
  const save = useSavePackage();
  const used = pkg !== null && pkg.subscriber_count > 0;
  const form = useSheetForm<PackageValues>({
    resolver,
    defaultValues: pkg ? valuesOf(pkg) : emptyValues(currency),
    fields: packageFields,
    reword,
    send: async (values, idempotencyKey) => {
      const { name } = await save.mutateAsync({ id: pkg?._id ?? null, body: toBody(values), idempotencyKey });
      toasts.add({ title: `${pkg ? "Saved" : "Created"}: ${name}` });
      onSaved();
    },
  });
  const { register, errorOf } = form;

  const amount = (
    <Field
      label="Amount each period"
      error={errorOf("amount")}
      hint={used ? "A new amount applies from each subscription’s next period." : "5.00 to 30,000.00"}
    >
      {(control) => (
        <TextInput
          {...control}
          {...register("amount")}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          className="tabular-nums"
        />
      )}
    </Field>
  );

  return (
    <SheetForm
      label={pkg ? "Edit package" : "New package"}
      action={pkg ? "Save package" : "Create package"}
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field
        label="Name"
        error={errorOf("name")}
        hint="What customers subscribe to. They see it on every payment page."
      >
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
            <Field label="Currency" error={errorOf("currency")}>
              {(control) => (
                <NativeSelect {...control} {...register("currency")}>
                  {currencies.map((code) => (
                    <option key={code} value={code}>
                      {code} – {names.of(code) ?? code}
                    </option>
                  ))}
                </NativeSelect>
              )}
            </Field>
          </div>
          <Field label="Charged" error={errorOf("frequency")}>
            {(control) => (
              <NativeSelect {...control} {...register("frequency")}>
                {frequencies.map((frequency) => (
                  <option key={frequency} value={frequency}>
                    {frequencyLabels[frequency]}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Field>
          <Field
            label="First charge"
            optional
            error={errorOf("date_charge_start")}
            hint={`In the time zone ${zone}. Without a date, or once it is past: when somebody subscribes.`}
          >
            {(control) => <TextInput {...control} {...register("date_charge_start")} type="date" />}
          </Field>
        </>
      )}
      <Field label="Description" optional error={errorOf("description")}>
        {(control) => <TextArea {...control} {...register("description")} rows={3} />}
      </Field>
    </SheetForm>
  );
}

/** What stands while somebody subscribes, and why. */
function Agreed({ pkg }: { pkg: PackageWithCounts }) {
  const { currency, frequency, date_charge_start: day, subscriber_count: count } = pkg;
  return (
    <section className="rounded-lg bg-kumo-recessed px-4 py-3" aria-label="What can not be changed">
      <dl className="grid grid-cols-[8rem_1fr] gap-y-1.5 text-base">
        <Fact term="Currency">{`${currency} – ${names.of(currency) ?? currency}`}</Fact>
        <Fact term="Charged">{frequencyLabels[frequency]}</Fact>
        <Fact term="First charge">{day ? dayWords(day) : "When somebody subscribes"}</Fact>
      </dl>
      <p className="mt-2.5 flex items-start gap-1.5 text-sm leading-snug text-kumo-subtle">
        <LockSimpleIcon size={14} className="mt-0.5 shrink-0" aria-hidden />
        These stay as they are: {count === 1 ? "one customer has" : `${count} customers have`} subscribed to them.
      </p>
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-kumo-subtle">{term}</dt>
      <dd className="min-w-0 text-kumo-default wrap-anywhere">{children}</dd>
    </>
  );
}
