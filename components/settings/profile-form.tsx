"use client";

import { useTranslations } from "use-intl";
import { CurrencySelect } from "@/components/ui/currency-select";
import { EmailInput, Field, TextInput } from "@/components/ui/field";
import { TimeZoneSelect } from "@/components/ui/time-zone-select";
import type { Settings } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

const fields = ["name", "support_email", "support_phone", "timezone", "currency"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ support_email, support_phone, ...values }: Values) => ({
  ...values,
  support_email: support_email.trim() || null,
  support_phone: support_phone.trim() || null,
});

export function ProfileForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.profile");
  const { name, timezone, currency } = settings;
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
  return (
    <SectionForm label={t("label")} {...form}>
      <Field label={t("name")} error={errorOf("name")} hint={t("nameHint")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="organization" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("supportEmail")} optional error={errorOf("support_email")} hint={t("supportEmailHint")}>
          {(control) => <EmailInput {...control} {...register("support_email")} />}
        </Field>
        <Field label={t("supportPhone")} optional error={errorOf("support_phone")} hint={t("supportPhoneHint")}>
          {(control) => <TextInput {...control} {...register("support_phone")} type="tel" autoComplete="off" />}
        </Field>
        <Field label={t("timeZone")} error={errorOf("timezone")} hint={t("timeZoneHint")}>
          {(control) => <TimeZoneSelect {...control} {...register("timezone")} chosen={timezone} />}
        </Field>
        <Field label={t("currency")} error={errorOf("currency")} hint={t("currencyHint")}>
          {(control) => <CurrencySelect {...control} {...register("currency")} />}
        </Field>
      </div>
    </SectionForm>
  );
}
