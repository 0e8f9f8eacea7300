import { useTranslations } from "use-intl";
import { SelectField, TextField } from "@/components/ui/form-fields";
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
  const { field, ...form } = useSettingsForm<Values>({
    defaultValues: {
      renewal_notice_days: String(settings.renewal_notice_days),
      send_receipts: settings.send_receipts ? "yes" : "no",
    },
    fields: ["renewal_notice_days", "send_receipts"],
    toBody,
  });
  return (
    <SectionForm label={t("label")} {...form}>
      <div className="grid gap-4 sm:max-w-xs">
        <TextField {...field("renewal_notice_days")} label={t("days")} hint={t("daysHint")} inputMode="numeric" />
        <SelectField {...field("send_receipts")} label={t("receipts")}>
          <option value="yes">{t("sent")}</option>
          <option value="no">{t("notSent")}</option>
        </SelectField>
      </div>
    </SectionForm>
  );
}
