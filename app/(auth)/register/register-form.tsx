"use client";

import { useEffect } from "react";
import { useTranslations } from "use-intl";
import { AuthForm } from "@/components/auth/auth-form";
import { enter } from "@/components/auth/enter";
import { CurrencyOptions } from "@/components/shell/currency-options";
import { timeZones } from "@/components/shell/time-zones";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { useHydrated } from "@/components/ui/use-hydrated";
import { call } from "@/lib/api/client";
import type { FieldErrors } from "@/lib/api/errors";
import { registrationEndpoints, registrationInput } from "@/lib/registration/contract";

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
    if (hydrated) setValue("timezone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  }, [hydrated, setValue]);

  return (
    <AuthForm label={t("title")} action={t("action")} problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <Field label={t("business")} error={errorOf("business_name")} hint={t("businessHint")}>
        {(control) => <TextInput {...control} {...register("business_name")} autoComplete="organization" />}
      </Field>
      <Field label={t("currency")} error={errorOf("currency")}>
        {(control) => (
          <NativeSelect {...control} {...register("currency")}>
            <CurrencyOptions />
          </NativeSelect>
        )}
      </Field>
      <Field label={t("timeZone")} error={errorOf("timezone")} hint={t("timeZoneHint")}>
        {(control) => (
          <NativeSelect {...control} {...register("timezone")}>
            {(hydrated ? timeZones() : ["UTC"]).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label={t("name")} error={errorOf("name")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label={t("email")} error={errorOf("email")}>
        {(control) => (
          <TextInput
            {...control}
            {...register("email")}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label={t("password")} error={errorOf("password")} hint={t("passwordHint")}>
        {(control) => <TextInput {...control} {...register("password")} type="password" autoComplete="new-password" />}
      </Field>
    </AuthForm>
  );
}
