"use client";

import { useTranslations } from "use-intl";
import { AuthForm } from "@/components/auth/auth-form";
import { enter } from "@/components/auth/enter";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { call } from "@/lib/api/client";
import { registrationEndpoints, resetInput } from "@/lib/registration/contract";

type Values = { password: string };

export function ResetForm({ token }: { token: string }) {
  const t = useTranslations("auth.reset");
  const toBody = ({ password }: Values) => ({ token, password });
  const form = useSheetForm<Values>({
    resolver: contractResolver<Values>(resetInput, toBody),
    defaultValues: { password: "" },
    fields: ["password"],
    send: async (values) => {
      const { email } = await call(registrationEndpoints.reset, { body: toBody(values) });
      await enter(email, values.password);
    },
  });
  return (
    <AuthForm label={t("set")} action={t("set")} problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <Field label={t("password")} error={form.errorOf("password")} hint={t("passwordHint")}>
        {(control) => (
          <TextInput {...control} {...form.register("password")} type="password" autoComplete="new-password" />
        )}
      </Field>
    </AuthForm>
  );
}
