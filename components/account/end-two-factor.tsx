import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { disableInput } from "@/lib/resources/account/contract";
import { useEndTwoFactor } from "@/lib/resources/account/queries";

type Values = { password: string };
const resolver = contractResolver<Values>(disableInput, (values) => values);

interface EndTwoFactorProps {
  /** With a passkey, the password still needs a second step. */
  hasPasskey: boolean;
  onDone: () => void;
}

export function EndTwoFactor({ hasPasskey, onDone }: EndTwoFactorProps) {
  const t = useTranslations("account.endTwoFactor");
  const end = useEndTwoFactor();
  const toasts = useToasts();
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { password: "" },
    fields: ["password"],
    send: async (values) => {
      await end.mutateAsync(values);
      toasts.add({ title: t("off") });
      onDone();
    },
  });
  return (
    <SheetForm label={t("turnOff")} action={t("turnOff")} {...form}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t(hasPasskey ? "textWithPasskey" : "text")}</p>
      <TextField {...form.field("password")} label={t("password")} type="password" autoComplete="current-password" />
    </SheetForm>
  );
}
