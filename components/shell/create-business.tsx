"use client";

import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencySelect } from "@/components/ui/currency-select";
import { Field, TextInput } from "@/components/ui/field";
import { SheetForm } from "@/components/ui/sheet-form";
import { ownTimeZone, TimeZoneSelect } from "@/components/ui/time-zone-select";
import { letGo } from "@/components/ui/unsaved";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { businessInput } from "@/lib/resources/account/contract";
import { useCreateBusiness } from "@/lib/resources/account/queries";
import { switchMode } from "./mode";

const fields = ["name", "currency", "timezone"] as const;
type Values = Record<(typeof fields)[number], string>;
const resolver = contractResolver<Values>(businessInput, (values) => values);

/** @param currency what the business that is shown offers first */
export function CreateBusiness({ currency }: { currency: string }) {
  const t = useTranslations("shell.createBusiness");
  const create = useCreateBusiness();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { name: "", currency, timezone: ownTimeZone() },
    fields,
    send: async (body, idempotencyKey) => {
      await create.mutateAsync({ body, idempotencyKey });
      letGo();
      // A whole page load: nothing that was fetched for the other business stays in memory. It begins in test mode.
      switchMode("test", "/");
    },
  });
  return (
    <SheetForm label={t("title")} action={t("create")} problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t("text")}</p>
      <Field label={t("name")} error={errorOf("name")} hint={t("nameHint")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="organization" />}
      </Field>
      <Field label={t("currency")} error={errorOf("currency")}>
        {(control) => <CurrencySelect {...control} {...register("currency")} />}
      </Field>
      <Field label={t("timeZone")} error={errorOf("timezone")} hint={t("timeZoneHint")}>
        {(control) => <TimeZoneSelect {...control} {...register("timezone")} />}
      </Field>
    </SheetForm>
  );
}
