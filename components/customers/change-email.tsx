import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { type Customer, emailChange } from "@/lib/resources/customers/contract";
import { useChangeEmail } from "@/lib/resources/customers/queries";

type Values = { email: string };

const resolver = contractResolver<Values>(emailChange, (values) => values);

interface ChangeEmailProps {
  customer: Customer;
  /** @param email the new one */
  onDone: (email: string) => void;
}

export function ChangeEmail({ customer, onDone }: ChangeEmailProps) {
  const t = useTranslations("customers.changeEmail");
  const change = useChangeEmail(customer.email);
  const toasts = useToasts();
  const { field, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { email: "" },
    fields: ["email"],
    send: async ({ email }, idempotencyKey) => {
      const changed = await change.mutateAsync({ to: email.trim(), idempotencyKey });
      toasts.add({ title: t("done"), description: changed.links_moving ? t("moving") : undefined });
      onDone(changed.email);
    },
  });
  return (
    <SheetForm label={t("title")} action={t("action")} {...form}>
      <p className="text-base text-kumo-subtle">{t("moves", { email: customer.email })}</p>
      <p className="text-base text-kumo-subtle">{t("stays")}</p>
      <TextField {...field("email")} type="email" label={t("email")} hint={t("emailHint")} />
    </SheetForm>
  );
}
