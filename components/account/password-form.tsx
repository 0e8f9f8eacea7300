"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useState } from "react";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Alert } from "@/components/ui/alert";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { passwordInput } from "@/lib/account/contract";
import { useChangePassword } from "@/lib/account/queries";

const fields = ["current_password", "password"] as const;
type Values = Record<(typeof fields)[number], string>;
const resolver = contractResolver<Values>(passwordInput, (values) => values);

export function PasswordForm({ email }: { email: string }) {
  const [times, setTimes] = useState(0);
  // What was typed is gone once it is done.
  return <Fields key={times} email={email} onDone={() => setTimes(times + 1)} />;
}

function Fields({ email, onDone }: { email: string; onDone: () => void }) {
  const change = useChangePassword();
  const toasts = useKumoToastManager();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { current_password: "", password: "" },
    fields,
    reword: (errors) =>
      errors.current_password
        ? {
            ...errors,
            current_password: errors.current_password.map((text) =>
              text.replace("current_password", "current password"),
            ),
          }
        : errors,
    send: async (values) => {
      await change.mutateAsync(values);
      toasts.add({ title: "Your password is changed", description: "You are signed out everywhere else." });
      onDone();
    },
  });
  return (
    <form noValidate aria-label="Password" className="grid gap-4" onSubmit={form.onSubmit}>
      <Alert>{form.problem}</Alert>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Current password" error={form.errorOf("current_password")}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("current_password")}
            type="password"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Field
        label="New password"
        error={form.errorOf("password")}
        hint="At least 12 characters. Some words in a row are fine."
      >
        {(control) => (
          <TextInput {...control} {...form.register("password")} type="password" autoComplete="new-password" />
        )}
      </Field>
      <div>
        <Button type="submit" variant="secondary" loading={form.busy}>
          Change password
        </Button>
      </div>
    </form>
  );
}
