import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencyField } from "@/components/ui/currency-field";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { ownTimeZone, TimeZoneField } from "@/components/ui/time-zone-field";
import { allowLeaving } from "@/components/ui/unsaved";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { businessInput } from "@/lib/resources/account/contract";
import { useCreateBusiness } from "@/lib/resources/account/queries";
import { switchMode } from "./mode";

const fields = ["name", "currency", "timezone"] as const;
type Values = Record<(typeof fields)[number], string>;
const resolver = contractResolver<Values>(businessInput, (values) => values);

/** @param currency the preselected one */
export function CreateBusiness({ currency }: { currency: string }) {
  const t = useTranslations("shell.createBusiness");
  const create = useCreateBusiness();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { name: "", currency, timezone: ownTimeZone() },
    fields,
    send: async (body, idempotencyKey) => {
      await create.mutateAsync({ body, idempotencyKey });
      allowLeaving();
      // A full page load drops everything that was fetched for the other business.
      switchMode("test", "/");
    },
  });
  return (
    <SheetForm label={t("title")} action={t("create")} {...form}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t("text")}</p>
      <TextField {...field("name")} label={t("name")} hint={t("nameHint")} autoComplete="organization" />
      <CurrencyField {...field("currency")} label={t("currency")} />
      <TimeZoneField {...field("timezone")} label={t("timeZone")} hint={t("timeZoneHint")} />
    </SheetForm>
  );
}
