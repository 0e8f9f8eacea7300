import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useToasts } from "@/components/ui/toasts";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { ApiFailure } from "@/lib/client/api-failure";
import { PasskeyRefused } from "@/lib/client/passkeys";
import { nameInput } from "@/lib/resources/account/contract";
import { makePasskey, type PasskeyBody, useAddPasskey } from "@/lib/resources/account/queries";
import { RecoveryCodes } from "./recovery-codes";

type Values = { name: string };
const resolver = contractResolver<Values>(nameInput, (values) => values);

export function AddPasskey({ onDone }: { onDone: () => void }) {
  const t = useTranslations("account.addPasskey");
  const add = useAddPasskey();
  const toasts = useToasts();
  const [codes, setCodes] = useState<string[] | null>(null);
  /** Kept while its response is lost: the device would refuse to make a second one. */
  const made = useRef<PasskeyBody["passkey"] | null>(null);
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { name: "" },
    fields: ["name"],
    secret: true,
    send: async ({ name }, idempotencyKey) => {
      made.current ??= await makePasskey().catch((error: unknown) => {
        if (!(error instanceof PasskeyRefused)) throw error;
        throw new ApiFailure(0, null, t(error.exists ? "exists" : "refused"));
      });
      const body = { name, passkey: made.current };
      const { recovery_codes } = await add.mutateAsync({ body, idempotencyKey }).catch((error: unknown) => {
        if (error instanceof ApiFailure && error.status >= 400 && error.status < 500) made.current = null;
        throw error;
      });
      if (recovery_codes) return setCodes(recovery_codes);
      toasts.add({ title: t("added") });
      onDone();
    },
  });
  if (codes) return <RecoveryCodes lead={t("withCodes")} codes={codes} onDone={onDone} />;
  return (
    <SheetForm label={t("add")} action={t("add")} {...form}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t("text")}</p>
      <TextField {...form.field("name")} label={t("name")} hint={t("nameHint")} />
    </SheetForm>
  );
}
