"use client";

import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CurrencySelect } from "@/components/ui/currency-select";
import { EmailInput, Field, TextInput } from "@/components/ui/field";
import { ownTimeZone, TimeZoneSelect } from "@/components/ui/time-zone-select";
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
/** The API says what a field is called there, the form what it is called here. */
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
  const { register, errorOf, setValue } = form;
  useEffect(() => {
    if (hydrated) setValue("timezone", ownTimeZone());
  }, [hydrated, setValue]);

  return (
    <AuthForm label={t("title")} action={t("action")} problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <Field label={t("business")} error={errorOf("business_name")} hint={t("businessHint")}>
        {(control) => <TextInput {...control} {...register("business_name")} autoComplete="organization" />}
      </Field>
      <Field label={t("currency")} error={errorOf("currency")}>
        {(control) => <CurrencySelect {...control} {...register("currency")} />}
      </Field>
      <Field label={t("timeZone")} error={errorOf("timezone")} hint={t("timeZoneHint")}>
        {(control) => <TimeZoneSelect {...control} {...register("timezone")} />}
      </Field>
      <Field label={t("name")} error={errorOf("name")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label={t("email")} error={errorOf("email")}>
        {(control) => <EmailInput {...control} {...register("email")} autoComplete="username" />}
      </Field>
      <Field label={t("password")} error={errorOf("password")} hint={t("passwordHint")}>
        {(control) => <TextInput {...control} {...register("password")} type="password" autoComplete="new-password" />}
      </Field>
    </AuthForm>
  );
}
