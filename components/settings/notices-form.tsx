import { useTranslations } from "use-intl";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import type { Settings, SettingsBody } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { renewal_notice_days: string; send_receipts: string };

const toBody = ({ renewal_notice_days, send_receipts }: Values): SettingsBody => ({
  renewal_notice_days: /^\d{1,9}$/.test(renewal_notice_days.trim()) ? Number(renewal_notice_days) : Number.NaN,
  send_receipts: send_receipts === "yes",
});

export function NoticesForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.notices");
  const { register, errorOf, ...form } = useSettingsForm<Values>({
    defaultValues: {
      renewal_notice_days: String(settings.renewal_notice_days),
      send_receipts: settings.send_receipts ? "yes" : "no",
    },
    fields: ["renewal_notice_days", "send_receipts"],
    toBody,
  });
  return (
    <SectionForm label={t("label")} {...form}>
      <Field label={t("days")} error={errorOf("renewal_notice_days")} hint={t("daysHint")} className="sm:max-w-xs">
        {(control) => (
          <TextInput {...control} {...register("renewal_notice_days")} inputMode="numeric" autoComplete="off" />
        )}
      </Field>
      <Field label={t("receipts")} error={errorOf("send_receipts")} className="sm:max-w-xs">
        {(control) => (
          <NativeSelect {...control} {...register("send_receipts")}>
            <option value="yes">{t("sent")}</option>
            <option value="no">{t("notSent")}</option>
          </NativeSelect>
        )}
      </Field>
    </SectionForm>
  );
}
