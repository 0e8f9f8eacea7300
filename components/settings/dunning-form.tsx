"use client";

import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import type { Settings, SettingsBody } from "@/lib/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { dunning_days: string; dunning_end: string };

const daysText = "Whole days from 1 to 365 that ascend, at most ten: 2, 7, 14.";

/** What is no list of days goes as it was typed, and is refused. */
function toBody({ dunning_days, dunning_end }: Values): SettingsBody {
  const parts = dunning_days.split(/[\s,;]+/).filter((part) => part !== "");
  const days = parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : [0];
  return { dunning_days: days, dunning_end: dunning_end as SettingsBody["dunning_end"] };
}

export function DunningForm({ settings, canWrite }: { settings: Settings; canWrite: boolean }) {
  const { register, errorOf, ...form } = useSettingsForm<Values>({
    defaultValues: { dunning_days: settings.dunning_days.join(", "), dunning_end: settings.dunning_end },
    fields: ["dunning_days", "dunning_end"],
    toBody,
    reword: (errors) => {
      const [wrong] = Object.keys(errors).filter((field) => field.startsWith("dunning_days"));
      return wrong ? { ...errors, dunning_days: [daysText] } : errors;
    },
  });
  return (
    <SectionForm label="Payments and dunning" canWrite={canWrite} {...form}>
      <Field
        label="Try a failed charge again after"
        error={errorOf("dunning_days")}
        hint="Days after the first failure. Leave it empty to try only once."
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("dunning_days")}
            inputMode="text"
            autoComplete="off"
            placeholder="Never"
          />
        )}
      </Field>
      <Field label="After the last try the subscription" error={errorOf("dunning_end")}>
        {(control) => (
          <NativeSelect {...control} {...register("dunning_end")}>
            <option value="unpaid">is unpaid, until it is paid</option>
            <option value="cancel">is cancelled</option>
          </NativeSelect>
        )}
      </Field>
    </SectionForm>
  );
}
