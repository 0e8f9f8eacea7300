"use client";

import { useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { setFieldErrors } from "@/components/ui/contract-form";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { TextField } from "@/components/ui/form-fields";
import { allowLeaving, useUnsaved } from "@/components/ui/unsaved";
import { ApiFailure, call } from "@/lib/client/call";
import { businessEndpoints } from "@/lib/resources/account/contract";
import { registrationEndpoints } from "@/lib/resources/registrations/contract";
import { AuthForm } from "./auth-form";
import { enter } from "./enter";

interface Values {
  name: string;
  password: string;
}

interface AcceptFormProps {
  token: string;
  email: string;
  /** "new": has no account. "known": has one. "here": is signed in to it. */
  who: "new" | "known" | "here";
}

export function AcceptForm({ token, email, who }: AcceptFormProps) {
  const t = useTranslations("auth.invitation");
  const explainFailure = useExplainFailure();
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    defaultValues: { name: "", password: "" },
  });

  useUnsaved(Object.keys(formState.dirtyFields).length > 0);

  async function submit({ name, password }: Values): Promise<void> {
    const body = {
      token,
      ...(who === "new" && { name }),
      ...(who !== "here" && { password }),
    };
    try {
      const { business_id } = await call(registrationEndpoints.accept, { body });
      if (who !== "here") return await enter(email, password);
      await call(businessEndpoints.enter, { id: String(business_id) });
      allowLeaving();
      window.location.assign("/");
      await new Promise(() => undefined);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const rest = setFieldErrors(setError, ["name", "password"], error.errors);
      if (error.status !== 422 || rest.length > 0) setError("root", { message: explainFailure(error) });
    }
  }

  return (
    <AuthForm
      label={t("accept")}
      action={t("accept")}
      problem={formState.errors.root?.message ?? null}
      busy={formState.isSubmitting}
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      {/* Tells password managers whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {who === "new" && (
        <TextField
          input={register("name", { required: t("nameMissing") })}
          label={t("name")}
          error={formState.errors.name?.message}
          autoComplete="name"
        />
      )}
      {who !== "here" && (
        <TextField
          input={register("password", { required: t("passwordMissing") })}
          label={t(who === "new" ? "choosePassword" : "yourPassword")}
          error={formState.errors.password?.message}
          hint={t(who === "new" ? "choosePasswordHint" : "yourPasswordHint")}
          type="password"
          autoComplete={who === "new" ? "new-password" : "current-password"}
        />
      )}
    </AuthForm>
  );
}
