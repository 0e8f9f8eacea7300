"use client";

import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencyField } from "@/components/ui/currency-field";
import { EmailField, TextField } from "@/components/ui/form-fields";
import { ownTimeZone, TimeZoneField } from "@/components/ui/time-zone-field";
import { useHydrated } from "@/components/ui/use-hydrated";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { call } from "@/lib/client/call";
import type { FieldErrors } from "@/lib/core/errors";
import { registrationEndpoints, registrationInput } from "@/lib/resources/registrations/contract";
import { AuthForm } from "./auth-form";
import { enter } from "./enter";

const fields = ["business_name", "currency", "timezone", "name", "email", "password"] as const;
type Values = Record<(typeof fields)[number], string>;

const toBody = (values: Values) => ({ ...values, email: values.email.trim() });
const reword = (errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [
      field,
      texts.map((text) => text.replace("The business_name", "The business").replace("The email", "The e-mail")),
    ]),
  );
const resolver = contractResolver<Values>(registrationInput, toBody, reword);

export function RegisterForm() {
  const t = useTranslations("auth.register");
  const hydrated = useHydrated();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { business_name: "", currency: "EUR", timezone: "UTC", name: "", email: "", password: "" },
    fields,
    reword,
    send: async (values) => {
      const body = toBody(values);
      await call(registrationEndpoints.create, { body });
      await enter(body.email, body.password);
    },
  });
  const { field, setValue } = form;
  useEffect(() => {
    if (hydrated) setValue("timezone", ownTimeZone());
  }, [hydrated, setValue]);

  return (
    <AuthForm label={t("title")} action={t("action")} {...form}>
      <TextField
        {...field("business_name")}
        label={t("business")}
        hint={t("businessHint")}
        autoComplete="organization"
      />
      <CurrencyField {...field("currency")} label={t("currency")} />
      <TimeZoneField {...field("timezone")} label={t("timeZone")} hint={t("timeZoneHint")} />
      <TextField {...field("name")} label={t("name")} autoComplete="name" />
      <EmailField {...field("email")} label={t("email")} autoComplete="username" />
      <TextField
        {...field("password")}
        label={t("password")}
        hint={t("passwordHint")}
        type="password"
        autoComplete="new-password"
      />
    </AuthForm>
  );
}
