"use client";

import { useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { setFieldErrors } from "@/components/ui/contract-form";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { TextField } from "@/components/ui/form-fields";
import { allowLeaving, useUnsaved } from "@/components/ui/unsaved";
import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
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
  /** Whether the person is signed in to the invited address's account. */
  signedIn: boolean;
}

export function AcceptForm({ token, email, signedIn }: AcceptFormProps) {
  const t = useTranslations("auth.invitation");
  const explainFailure = useExplainFailure();
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    defaultValues: { name: "", password: "" },
  });

  useUnsaved(Object.keys(formState.dirtyFields).length > 0);

  async function submit({ name, password }: Values): Promise<void> {
    const body = signedIn ? { token } : { token, name, password };
    try {
      const { business_id } = await call(registrationEndpoints.accept, { body });
      if (!signedIn) return await enter(email, password, "/login?joined=1");
      await call(businessEndpoints.enter, { id: String(business_id) });
      allowLeaving();
      window.location.assign("/");
      await new Promise(() => undefined);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // A signed-in person sees no fields, so the session has ended meanwhile. After the reload, the page shows them.
      if (signedIn && error.status === 422) return window.location.reload();
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
      {!signedIn && (
        <>
          <TextField
            input={register("name", { required: t("nameMissing") })}
            label={t("name")}
            error={formState.errors.name?.message}
            autoComplete="name"
          />
          <TextField
            input={register("password", { required: t("passwordMissing") })}
            label={t("choosePassword")}
            error={formState.errors.password?.message}
            hint={t("choosePasswordHint")}
            type="password"
            autoComplete="new-password"
          />
        </>
      )}
    </AuthForm>
  );
}
