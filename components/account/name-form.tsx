import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { Field, TextInput } from "@/components/ui/field";
import { TextField } from "@/components/ui/form-fields";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type Account, nameInput } from "@/lib/resources/account/contract";
import { useRename } from "@/lib/resources/account/queries";

type Values = { name: string };
const resolver = contractResolver<Values>(nameInput, (values) => values);

export function NameForm({ account }: { account: Account }) {
  const t = useTranslations("account.profile");
  const save = useRename();
  const toasts = useToasts();
  const router = useRouter();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { name: account.name },
    fields: ["name"],
    send: async (values) => {
      await save.mutateAsync(values);
      toasts.add({ title: t("saved") });
      router.refresh(); // the user menu shows the name too
    },
  });
  return (
    <form noValidate aria-label={t("label")} className="grid gap-4" onSubmit={form.onSubmit}>
      <Alert>{form.problem}</Alert>
      <TextField {...form.field("name")} label={t("name")} autoComplete="name" />
      <Field label={t("email")} hint={t("emailHint")}>
        {(control) => (
          <TextInput
            {...control}
            value={account.email}
            readOnly
            autoComplete="off"
            className="read-only:bg-transparent read-only:text-kumo-subtle"
          />
        )}
      </Field>
      <div>
        <Button type="submit" variant="secondary" loading={form.busy}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}
