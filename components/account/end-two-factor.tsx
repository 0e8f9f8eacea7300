"use client";

import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { disableInput } from "@/lib/account/contract";
import { useEndTwoFactor } from "@/lib/account/queries";

const fields = ["password", "code"] as const;
type Values = Record<(typeof fields)[number], string>;
const resolver = contractResolver<Values>(disableInput, (values) => values);

export function EndTwoFactor({ onDone }: { onDone: () => void }) {
  const end = useEndTwoFactor();
  const toasts = useKumoToastManager();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { password: "", code: "" },
    fields,
    send: async (values) => {
      await end.mutateAsync(values);
      toasts.add({ title: "Two-factor sign-in is off" });
      onDone();
    },
  });
  return (
    <SheetForm label="Turn off" action="Turn off" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base leading-relaxed text-kumo-subtle">
        Your password alone will let you in again. The recovery codes are gone then.
      </p>
      <Field label="Your password" error={form.errorOf("password")}>
        {(control) => (
          <TextInput {...control} {...form.register("password")} type="password" autoComplete="current-password" />
        )}
      </Field>
      <Field label="Code" error={form.errorOf("code")} hint="Six digits of your app, or a recovery code.">
        {(control) => <TextInput {...control} {...form.register("code")} autoComplete="one-time-code" />}
      </Field>
    </SheetForm>
  );
}
