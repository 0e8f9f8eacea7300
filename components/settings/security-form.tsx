import { useTranslations } from "use-intl";
import { SelectField } from "@/components/ui/form-fields";
import type { Settings } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { two_factor_required: "yes" | "no" };

const toBody = ({ two_factor_required }: Values) => ({ two_factor_required: two_factor_required === "yes" });

/** For owners only. */
export function SecurityForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.security");
  const { field, ...form } = useSettingsForm<Values>({
    defaultValues: { two_factor_required: settings.two_factor_required ? "yes" : "no" },
    fields: ["two_factor_required"],
    toBody,
  });
  return (
    <SectionForm label={t("label")} {...form}>
      <div className="sm:max-w-xs">
        <SelectField {...field("two_factor_required")} label={t("twoFactor")}>
          <option value="no">{t("optional")}</option>
          <option value="yes">{t("required")}</option>
        </SelectField>
      </div>
    </SectionForm>
  );
}
