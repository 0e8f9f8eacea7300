"use client";

import { useForm } from "react-hook-form";
import { AuthForm } from "@/components/auth/auth-form";
import { enter } from "@/components/auth/enter";
import { setFieldErrors } from "@/components/ui/contract-form";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, TextInput } from "@/components/ui/field";
import { businessEndpoints } from "@/lib/account/contract";
import { ApiFailure, call } from "@/lib/api/client";
import { registrationEndpoints } from "@/lib/registration/contract";

interface Values {
  name: string;
  password: string;
}

interface AcceptFormProps {
  token: string;
  email: string;
  /** Has no account; has one; has signed in with it. */
  who: "new" | "known" | "here";
}

export function AcceptForm({ token, email, who }: AcceptFormProps) {
  const { register, handleSubmit, formState, setError } = useForm<Values>({
    defaultValues: { name: "", password: "" },
  });

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
      label="Accept the invitation"
      action="Accept the invitation"
      problem={formState.errors.root?.message ?? null}
      busy={formState.isSubmitting}
      onSubmit={(event) => void handleSubmit(submit)(event)}
    >
      {/* For password managers: whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {who === "new" && (
        <Field label="Your name" error={formState.errors.name?.message}>
          {(control) => (
            <TextInput {...control} {...register("name", { required: "Enter your name." })} autoComplete="name" />
          )}
        </Field>
      )}
      {who !== "here" && (
        <Field
          label={who === "new" ? "Choose a password" : "Your password"}
          error={formState.errors.password?.message}
          hint={
            who === "new"
              ? "At least 12 characters. Some words in a row are fine."
              : "You have an account already: the password that you sign in with."
          }
        >
          {(control) => (
            <TextInput
              {...control}
              {...register("password", { required: "Enter a password." })}
              type="password"
              autoComplete={who === "new" ? "new-password" : "current-password"}
            />
          )}
        </Field>
      )}
    </AuthForm>
  );
}
