"use client";

import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { useHydrated } from "@/components/ui/use-hydrated";
import { currencies } from "@/lib/money";
import type { Settings } from "@/lib/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

const fields = ["name", "support_email", "support_phone", "timezone", "currency"] as const;
type Values = Record<(typeof fields)[number], string>;

const names = new Intl.DisplayNames("en", { type: "currency" });

const toBody = ({ support_email, support_phone, ...values }: Values) => ({
  ...values,
  support_email: support_email.trim() || null,
  support_phone: support_phone.trim() || null,
});

export function ProfileForm({ settings, canWrite }: { settings: Settings; canWrite: boolean }) {
  const { name, timezone, currency } = settings;
  const hydrated = useHydrated();
  const { register, errorOf, ...form } = useSettingsForm<Values>({
    defaultValues: {
      name,
      timezone,
      currency,
      support_email: settings.support_email ?? "",
      support_phone: settings.support_phone ?? "",
    },
    fields,
    toBody,
  });
  // The browser's list differs from the server's, and may lack the zone that was chosen.
  const zones = [...new Set([timezone, ...(hydrated ? Intl.supportedValuesOf("timeZone") : [])])].sort();
  return (
    <SectionForm label="Profile" canWrite={canWrite} {...form}>
      <Field label="Name" error={errorOf("name")} hint="As your payers see it.">
        {(control) => <TextInput {...control} {...register("name")} autoComplete="organization" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Support e-mail" optional error={errorOf("support_email")} hint="Where answers to e-mails go.">
          {(control) => (
            <TextInput
              {...control}
              {...register("support_email")}
              type="email"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Support phone" optional error={errorOf("support_phone")} hint="Payers may call it.">
          {(control) => <TextInput {...control} {...register("support_phone")} type="tel" autoComplete="off" />}
        </Field>
        <Field
          label="Time zone"
          error={errorOf("timezone")}
          hint="Of dates and days. Subscriptions that exist keep the zone they began in."
        >
          {(control) => (
            <NativeSelect {...control} {...register("timezone")}>
              {zones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label="Currency" error={errorOf("currency")} hint="What forms offer first.">
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
    </SectionForm>
  );
}
