import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { EmailField, TextField } from "@/components/ui/form-fields";
import { attemptSignIn } from "./attempt-sign-in";
import { AuthForm } from "./auth-form";
import { linkClass } from "./auth-frame";
import { CodeForm } from "./code-form";
import { PasskeyButton } from "./passkey-button";
import { signInWithPasskey } from "./passkey-sign-in";
import { type SecondStep, secondStepOf, signInMessage } from "./sign-in-message";

interface Values {
  email: string;
  password: string;
}

interface SignInFormProps {
  /** The only e-mail that may sign in; any unless given. */
  as?: string;
  /** Runs after the sign-in. @returns an error message, or null */
  onDone: () => Promise<string | null>;
}

export function SignInForm({ as, onDone }: SignInFormProps) {
  const t = useTranslations("auth.signIn");
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<Values>({
    defaultValues: { email: as ?? "", password: "" },
  });
  const refusals = useTranslations("auth.refusal");
  const [problem, setProblem] = useState<string | null>(null);
  /** The password was right. */
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  const [fixed] = useState(as !== undefined);
  useEffect(() => {
    if (fixed) setFocus("password");
  }, [fixed, setFocus]);

  async function submit(values: Values): Promise<void> {
    setProblem(null);
    const error = await attemptSignIn({ ...values });
    if (error === null) return setProblem(await onDone());
    if (error !== "Unavailable") resetField("password");
    const next = secondStepOf(error);
    if (next) return setSecondStep(next);
    setProblem(signInMessage(refusals, error));
    setFocus("password");
  }

  async function submitPasskey(): Promise<void> {
    setProblem(null);
    const error = await signInWithPasskey();
    if (error === null) return setProblem(await onDone());
    setProblem(error === "CredentialsSignin" ? t("wrongPasskey") : signInMessage(refusals, error));
  }

  if (secondStep)
    return (
      <CodeForm
        {...secondStep}
        onDone={onDone}
        onBack={() => {
          setSecondStep(null);
          setProblem(null);
        }}
      />
    );
  return (
    <div className="grid gap-3">
      <AuthForm
        label={t("title")}
        action={t("title")}
        problem={problem}
        busy={formState.isSubmitting}
        onSubmit={(event) => void handleSubmit(submit)(event)}
      >
        <EmailField
          input={register("email", { required: t("emailMissing") })}
          label={t("email")}
          error={formState.errors.email?.message}
          autoComplete="username"
          // The browser's own autofocus works before hydration, and does not take the focus from another control.
          autoFocus={!fixed}
          readOnly={fixed}
          className={fixed ? "text-kumo-subtle" : ""}
        />
        <TextField
          input={register("password", { required: t("passwordMissing") })}
          label={t("password")}
          error={formState.errors.password?.message}
          type="password"
          autoComplete="current-password"
        />
        <p className="-mt-1.5 text-sm">
          {/* In a new tab if the dialog is above a page with unsaved changes. */}
          <a href="/forgot" className={linkClass} {...(fixed && { target: "_blank", rel: "noreferrer" })}>
            {t("forgotten")}
            {fixed && <span className="sr-only"> {t("newTab")}</span>}
          </a>
        </p>
      </AuthForm>
      <PasskeyButton run={submitPasskey}>{t("passkey")}</PasskeyButton>
    </div>
  );
}
