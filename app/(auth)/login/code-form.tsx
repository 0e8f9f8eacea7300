"use client";

import { signIn } from "next-auth/react";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { AuthForm } from "@/components/auth/auth-form";
import { linkLook } from "@/components/auth/auth-frame";
import { Field, TextInput } from "@/components/ui/field";
import { signInMessage } from "./sign-in-message";

interface CodeFormProps {
  ticket: string;
  onDone: () => Promise<void>;
  onBack: () => void;
}

/** The second step of a sign-in: six digits of the person's app, or a recovery code. */
export function CodeForm({ ticket, onDone, onBack }: CodeFormProps) {
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<{ code: string }>();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setFocus("code"), [setFocus]);

  async function submit({ code }: { code: string }): Promise<void> {
    setProblem(null);
    const result = await signIn("credentials", { ticket, code, redirect: false }).catch(() => undefined);
    if (result?.ok && !result.error) return onDone();
    const error = result?.error ?? "Unavailable";
    setProblem(error === "CredentialsSignin" ? "The code is wrong, or was used already." : signInMessage(error));
    resetField("code");
    setFocus("code");
  }

  return (
    <AuthForm
      label="Second step"
      action="Go on"
      problem={problem}
      busy={formState.isSubmitting}
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <Field
        label="Code"
        error={formState.errors.code?.message}
        hint="Six digits of your authenticator app, or one of your recovery codes."
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("code", { required: "Enter the code." })}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="tabular-nums"
          />
        )}
      </Field>
      <p className="-mt-1 text-sm">
        <button type="button" className={linkLook} onClick={onBack}>
          Start over
        </button>
      </p>
    </AuthForm>
  );
}
