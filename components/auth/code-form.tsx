import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { TextField } from "@/components/ui/form-fields";
import { attemptSignIn } from "./attempt-sign-in";
import { AuthForm } from "./auth-form";
import { linkClass } from "./auth-frame";
import { PasskeyButton } from "./passkey-button";
import { signInWithPasskey } from "./passkey-sign-in";
import { type SecondStep, signInMessage } from "./sign-in-message";

interface CodeFormProps extends SecondStep {
  /** Runs after the sign-in. @returns an error message, or null */
  onDone: () => Promise<string | null>;
  onBack: () => void;
}

export function CodeForm({ ticket, factors, onDone, onBack }: CodeFormProps) {
  const t = useTranslations("auth.code");
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<{ code: string }>();
  const refusals = useTranslations("auth.refusal");
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setFocus("code"), [setFocus]);

  async function submit({ code }: { code: string }): Promise<void> {
    setProblem(null);
    const error = await attemptSignIn({ ticket, code });
    if (error === null) return setProblem(await onDone());
    setProblem(error === "CredentialsSignin" ? t("wrong") : signInMessage(refusals, error));
    if (error !== "Unavailable") resetField("code");
    setFocus("code");
  }

  async function submitPasskey(): Promise<void> {
    setProblem(null);
    const error = await signInWithPasskey(ticket);
    if (error === null) return setProblem(await onDone());
    setProblem(error === "CredentialsSignin" ? t("wrongPasskey") : signInMessage(refusals, error));
  }

  const recoveryOnly = factors === "passkey";
  return (
    <div className="grid gap-3">
      {factors !== "code" && <PasskeyButton run={submitPasskey}>{t("passkey")}</PasskeyButton>}
      <AuthForm
        label={t("label")}
        action={t("goOn")}
        problem={problem}
        busy={formState.isSubmitting}
        onSubmit={(event) => void handleSubmit(submit)(event)}
      >
        <TextField
          input={register("code", { required: t("missing") })}
          label={t(recoveryOnly ? "recoveryCode" : "code")}
          error={formState.errors.code?.message}
          hint={t(recoveryOnly ? "recoveryHint" : "hint")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          className="tabular-nums"
        />
        <p className="-mt-1 text-sm">
          <button type="button" className={linkClass} onClick={onBack}>
            {t("startOver")}
          </button>
        </p>
      </AuthForm>
    </div>
  );
}
