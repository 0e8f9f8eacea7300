"use client";

import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { AuthForm } from "@/components/auth/auth-form";
import { linkLook } from "@/components/auth/auth-frame";
import { Field, TextInput } from "@/components/ui/field";
import { CodeForm } from "./code-form";
import { signInMessage, ticketOf } from "./sign-in-message";

interface Values {
  email: string;
  password: string;
}

export function LoginForm({ next }: { next: string }) {
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<Values>();
  const [problem, setProblem] = useState<string | null>(null);
  /** That the password was right; a code is the rest. */
  const [ticket, setTicket] = useState<string | null>(null);

  async function submit(values: Values): Promise<void> {
    setProblem(null);
    const result = await signIn("credentials", { ...values, redirect: false }).catch(() => undefined);
    if (result?.ok && !result.error) return go(next);
    const error = result?.error ?? "Unavailable";
    resetField("password");
    const asked = ticketOf(error);
    if (asked) return setTicket(asked);
    setProblem(signInMessage(error));
    setFocus("password");
  }

  if (ticket)
    return (
      <CodeForm
        ticket={ticket}
        onDone={() => go(next)}
        onBack={() => {
          setTicket(null);
          setProblem(null);
        }}
      />
    );
  return (
    <AuthForm
      label="Sign in"
      action="Sign in"
      problem={problem}
      busy={formState.isSubmitting}
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <Field label="E-mail" error={formState.errors.email?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...register("email", { required: "Enter your e-mail address." })}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        {(control) => (
          <TextInput
            {...control}
            {...register("password", { required: "Enter your password." })}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <p className="-mt-1.5 text-sm">
        <a href="/forgot" className={linkLook}>
          Forgotten it?
        </a>
      </p>
    </AuthForm>
  );
}

/** A whole page load: nothing that was fetched for nobody, or for somebody else, stays in memory. */
async function go(next: string): Promise<void> {
  window.location.assign(next);
  await new Promise(() => undefined);
}
