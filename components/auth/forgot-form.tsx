"use client";

import { useState } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { EmailField } from "@/components/ui/form-fields";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { call } from "@/lib/client/call";
import { forgotInput, registrationEndpoints } from "@/lib/resources/registrations/contract";
import { AuthForm } from "./auth-form";

type Values = { email: string };
const toBody = ({ email }: Values) => ({ email: email.trim() });
const resolver = contractResolver<Values>(forgotInput, toBody);

/** The answer is the same for every address: it must not reveal who has an account. */
export function ForgotForm() {
  const t = useTranslations("auth.forgot");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { email: "" },
    fields: ["email"],
    send: async (values) => {
      const body = toBody(values);
      await call(registrationEndpoints.forgot, { body });
      setSentTo(body.email);
    },
  });
  if (sentTo)
    return (
      // Takes the focus, because the focused form disappears.
      <div
        ref={(said) => said?.focus()}
        tabIndex={-1}
        role="status"
        className="grid gap-3 text-base leading-relaxed text-kumo-default outline-none"
      >
        <p>{t.rich("sent", { email: () => <b className="font-medium wrap-anywhere">{sentTo}</b> })}</p>
        <p className="text-kumo-subtle">{t("noMail")}</p>
      </div>
    );
  return (
    <AuthForm label={t("title")} action={t("send")} {...form}>
      <EmailField {...form.field("email")} label={t("email")} autoComplete="username" />
    </AuthForm>
  );
}
