"use client";

import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { call } from "@/lib/client/call";
import { registrationEndpoints, resetInput } from "@/lib/resources/registrations/contract";
import { AuthForm } from "./auth-form";
import { enter } from "./enter";

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
    <AuthForm label={t("set")} action={t("set")} {...form}>
      <TextField
        {...form.field("password")}
        label={t("password")}
        hint={t("passwordHint")}
        type="password"
        autoComplete="new-password"
      />
    </AuthForm>
  );
}
