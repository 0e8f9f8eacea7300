import { useTranslations } from "use-intl";
import { useMay } from "@/components/shell/may";
import { TextField } from "@/components/ui/form-fields";
import { groupedIban } from "@/lib/core/iban";
import { gatewayAccountEndpoints } from "@/lib/resources/gateway-accounts/contract";
import type { Settings } from "@/lib/resources/settings/contract";
import { SectionForm } from "./section-form";
import { useSettingsForm } from "./use-settings-form";

const fields = ["bank_holder", "bank_iban", "bank_bic"] as const;
type Values = Record<(typeof fields)[number], string>;

/** The account for bank transfers. Read-only for people who may not manage gateway accounts, because it decides where the money goes. */
export function BankForm({ settings }: { settings: Settings }) {
  const t = useTranslations("settings.bank");
  const may = useMay();
  const { field, endpoint, ...form } = useSettingsForm<Values>({
    defaultValues: {
      bank_holder: settings.bank_holder ?? "",
      bank_iban: groupedIban(settings.bank_iban ?? ""),
      bank_bic: settings.bank_bic ?? "",
    },
    fields,
    toBody: ({ bank_holder, ...rest }) => ({ bank_holder: bank_holder.trim(), ...rest }),
  });
  const guarded = may(gatewayAccountEndpoints.connect) ? endpoint : gatewayAccountEndpoints.connect;
  return (
    <SectionForm label={t("label")} {...form} endpoint={guarded}>
      <TextField {...field("bank_holder")} label={t("holder")} hint={t("holderHint")} autoComplete="organization" />
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <TextField {...field("bank_iban")} label={t("iban")} hint={t("ibanHint")} className="tabular-nums" />
        <TextField {...field("bank_bic")} label={t("bic")} optional hint={t("bicHint")} />
      </div>
    </SectionForm>
  );
}
