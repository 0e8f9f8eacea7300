import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import type { FieldErrors } from "@/lib/core/errors";
import { passwordInput } from "@/lib/resources/account/contract";
import { useChangePassword } from "@/lib/resources/account/queries";

const fields = ["current_password", "password"] as const;
type Values = Record<(typeof fields)[number], string>;

const reword = (errors: FieldErrors): FieldErrors =>
  errors.current_password
    ? {
        ...errors,
        current_password: errors.current_password.map((text) => text.replace("current_password", "current password")),
      }
    : errors;

const resolver = contractResolver<Values>(passwordInput, (values) => values, reword);

export function PasswordForm({ email }: { email: string }) {
  const t = useTranslations("account.password");
  const change = useChangePassword();
  const toasts = useToasts();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { current_password: "", password: "" },
    fields,
    reword,
    emptied: true,
    send: async (values) => {
      await change.mutateAsync(values);
      toasts.add({ title: t("changed"), description: t("changedText") });
    },
  });
  return (
    <form noValidate aria-label={t("label")} className="grid gap-4" onSubmit={form.onSubmit}>
      <Alert>{form.problem}</Alert>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <TextField
        {...form.field("current_password")}
        label={t("current")}
        type="password"
        autoComplete="current-password"
      />
      <TextField
        {...form.field("password")}
        label={t("new")}
        hint={t("newHint")}
        type="password"
        autoComplete="new-password"
      />
      <div>
        <Button type="submit" variant="secondary" loading={form.busy}>
          {t("change")}
        </Button>
      </div>
    </form>
  );
}
