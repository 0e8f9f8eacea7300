"use client";

import { useEffect } from "react";
import { AuthForm } from "@/components/auth/auth-form";
import { enter } from "@/components/auth/enter";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, NativeSelect, TextInput } from "@/components/ui/field";
import { useHydrated } from "@/components/ui/use-hydrated";
import { call } from "@/lib/api/client";
import type { FieldErrors } from "@/lib/api/errors";
import { currencies } from "@/lib/money";
import { registrationEndpoints, registrationInput } from "@/lib/registration/contract";

const fields = ["business_name", "currency", "timezone", "name", "email", "password"] as const;
type Values = Record<(typeof fields)[number], string>;

const names = new Intl.DisplayNames("en", { type: "currency" });
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

/** The browser's zone, and those that the platform knows: on the server it may know others. */
function zones(): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([here, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}

export function RegisterForm() {
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
    <AuthForm
      label="Register a business"
      action="Register"
      problem={form.problem}
      busy={form.busy}
      onSubmit={form.onSubmit}
    >
      <Field label="Business" error={errorOf("business_name")} hint="The name that your payers see.">
        {(control) => <TextInput {...control} {...register("business_name")} autoComplete="organization" />}
      </Field>
      <Field label="Currency" error={errorOf("currency")}>
        {(control) => (
          <NativeSelect {...control} {...register("currency")}>
            {currencies.map((code) => (
              <option key={code} value={code}>
                {code} – {names.of(code) ?? code}
              </option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label="Time zone" error={errorOf("timezone")} hint="When a day of your subscriptions begins.">
        {(control) => (
          <NativeSelect {...control} {...register("timezone")}>
            {(hydrated ? zones() : ["UTC"]).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </NativeSelect>
        )}
      </Field>
      <Field label="Your name" error={errorOf("name")}>
        {(control) => <TextInput {...control} {...register("name")} autoComplete="name" />}
      </Field>
      <Field label="E-mail" error={errorOf("email")}>
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
      <Field label="Password" error={errorOf("password")} hint="At least 12 characters. Some words in a row are fine.">
        {(control) => <TextInput {...control} {...register("password")} type="password" autoComplete="new-password" />}
      </Field>
    </AuthForm>
  );
}
