import { useTranslations } from "use-intl";
import { SelectField, TextField } from "@/components/ui/form-fields";
import type { Settings, SettingsBody } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

type Values = { dunning_days: string; dunning_end: string; pause_disputed: string };

/** The contract refuses invalid text, so it is sent as typed. */
function toBody({ dunning_days, dunning_end, pause_disputed }: Values): SettingsBody {
  const parts = dunning_days.split(/[\s,;]+/).filter((part) => part !== "");
  const days = parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : [0];
  return {
    dunning_days: days,
    dunning_end: dunning_end as SettingsBody["dunning_end"],
    pause_disputed: pause_disputed === "yes",
  };
}

export function DunningForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.dunning");
  const { field, ...form } = useSettingsForm<Values>({
    defaultValues: {
      dunning_days: settings.dunning_days.join(", "),
      dunning_end: settings.dunning_end,
      pause_disputed: settings.pause_disputed ? "yes" : "no",
    },
    fields: ["dunning_days", "dunning_end", "pause_disputed"],
    toBody,
    reword: (errors) => {
      const [wrong] = Object.keys(errors).filter((field) => field.startsWith("dunning_days"));
      return wrong ? { ...errors, dunning_days: [t("daysWrong")] } : errors;
    },
  });
  return (
    <SectionForm label={t("label")} {...form}>
      <TextField
        {...field("dunning_days")}
        label={t("days")}
        hint={t("daysHint")}
        inputMode="text"
        placeholder={t("never")}
      />
      <SelectField {...field("dunning_end")} label={t("end")} hint={t("endHint")}>
        <option value="unpaid">{t("unpaid")}</option>
        <option value="cancel">{t("cancel")}</option>
      </SelectField>
      <SelectField {...field("pause_disputed")} label={t("disputed")}>
        <option value="yes">{t("pause")}</option>
        <option value="no">{t("goOn")}</option>
      </SelectField>
    </SectionForm>
  );
}
