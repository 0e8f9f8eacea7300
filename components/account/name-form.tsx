"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { useRouter } from "next/navigation";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Alert } from "@/components/ui/alert";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { type Account, nameInput } from "@/lib/account/contract";
import { useRename } from "@/lib/account/queries";

type Values = { name: string };
const resolver = contractResolver<Values>(nameInput, (values) => values);

export function NameForm({ account }: { account: Account }) {
  const save = useRename();
  const toasts = useKumoToastManager();
  const router = useRouter();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { name: account.name },
    fields: ["name"],
    send: async (values) => {
      await save.mutateAsync(values);
      toasts.add({ title: "Saved" });
      router.refresh(); // the menu shows it too
    },
  });
  return (
    <form noValidate aria-label="Profile" className="grid gap-4" onSubmit={form.onSubmit}>
      <Alert>{form.problem}</Alert>
      <Field label="Name" error={form.errorOf("name")}>
        {(control) => <TextInput {...control} {...form.register("name")} autoComplete="name" />}
      </Field>
      <Field label="E-mail" hint="What you sign in with. It stays.">
        {(control) => <TextInput {...control} value={account.email} readOnly autoComplete="off" />}
      </Field>
      <div>
        <Button type="submit" variant="secondary" loading={form.busy}>
          Save
        </Button>
      </div>
    </form>
  );
}
