"use client";

import { useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { ApiFailure } from "@/lib/client/api-failure";
import { call } from "@/lib/client/call";
import { emailVerificationEndpoints } from "@/lib/resources/account/contract";
import { AuthForm } from "./auth-form";
import { linkClass } from "./auth-frame";

export function VerifyForm({ token }: { token: string }) {
  const t = useTranslations("auth.verify");
  const explainFailure = useExplainFailure();
  const { handleSubmit, formState, setError } = useForm();
  const problem = formState.errors.root?.message ?? null;

  async function submit(): Promise<void> {
    try {
      await call(emailVerificationEndpoints.confirm, { body: { token } });
      window.location.assign("/");
      await new Promise(() => undefined);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setError("root", { message: explainFailure(error) });
    }
  }

  return (
    <AuthForm
      label={t("title")}
      action={t("confirm")}
      problem={problem}
      busy={formState.isSubmitting}
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      {problem && (
        <p className="text-base">
          <a href="/" className={linkClass}>
            {t("toDashboard")}
          </a>
        </p>
      )}
    </AuthForm>
  );
}
