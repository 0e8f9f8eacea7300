import { useTranslations } from "use-intl";
import { CurrencyField } from "@/components/ui/currency-field";
import { EmailField, TextAreaField, TextField } from "@/components/ui/form-fields";
import { TimeZoneField } from "@/components/ui/time-zone-field";
import type { Settings } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

const fields = ["name", "support_email", "support_phone", "timezone", "currency", "seller_details"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = ({ support_email, support_phone, seller_details, ...values }: Values) => ({
  ...values,
  support_email: support_email.trim() || null,
  support_phone: support_phone.trim() || null,
  seller_details: seller_details.trim() || null,
});

export function ProfileForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.profile");
  const { name, timezone, currency } = settings;
  const { field, ...form } = useSettingsForm<Values>({
    defaultValues: {
      name,
      timezone,
      currency,
      support_email: settings.support_email ?? "",
      support_phone: settings.support_phone ?? "",
      seller_details: settings.seller_details ?? "",
    },
    fields,
    toBody,
  });
  return (
    <SectionForm label={t("label")} {...form}>
      <TextField {...field("name")} label={t("name")} hint={t("nameHint")} autoComplete="organization" />
      <TextAreaField
        {...field("seller_details")}
        label={t("sellerDetails")}
        optional
        hint={t("sellerDetailsHint")}
        autoComplete="off"
        rows={4}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <EmailField {...field("support_email")} label={t("supportEmail")} optional hint={t("supportEmailHint")} />
        <TextField
          {...field("support_phone")}
          label={t("supportPhone")}
          optional
          hint={t("supportPhoneHint")}
          type="tel"
        />
        <TimeZoneField {...field("timezone")} label={t("timeZone")} hint={t("timeZoneHint")} chosen={timezone} />
        <CurrencyField {...field("currency")} label={t("currency")} hint={t("currencyHint")} />
      </div>
    </SectionForm>
  );
}
