"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { signIn } from "next-auth/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Alert } from "@/components/ui/alert";
import { Field, TextInput } from "@/components/ui/field";
import { useHydrated } from "@/components/ui/use-hydrated";
import { signInMessage } from "./sign-in-message";

interface Values {
  email: string;
  password: string;
}

export function LoginForm({ next }: { next: string }) {
  const { register, handleSubmit, formState, resetField, setFocus } = useForm<Values>();
  const [problem, setProblem] = useState<string | null>(null);
  const hydrated = useHydrated();

  async function submit(values: Values): Promise<void> {
    setProblem(null);
    const result = await signIn("credentials", { ...values, redirect: false }).catch(() => undefined);
    if (result?.ok && !result.error) {
      // A whole page load: nothing that was fetched for nobody, or for somebody else, stays in memory.
      window.location.assign(next);
      await new Promise(() => undefined);
    }
    setProblem(signInMessage(result?.error ?? "Unavailable"));
    resetField("password");
    setFocus("password");
  }

  return (
    // The method only matters before the script has loaded: then the password must not end up in an address.
    <form
      method="post"
      action="/login"
      noValidate
      className="grid gap-4"
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      <Alert>{problem}</Alert>
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
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="mt-1 w-full justify-center"
        loading={formState.isSubmitting}
        // Sent by the browser itself, it would go nowhere.
        disabled={!hydrated}
      >
        Sign in
      </Button>
    </form>
  );
}
