import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { contractResolver } from "@/components/ui/contract-form";
import { Question } from "@/components/ui/dialog-frames";
import { useLayer } from "@/components/ui/dialog-layer";
import { useExplainFailure } from "@/components/ui/explain-failure";
import { TextField } from "@/components/ui/form-fields";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { PasskeyRefused } from "@/lib/client/passkeys";
import { type Account, confirmationInput } from "@/lib/resources/account/contract";
import { useAccount, useConfirmByPasskey, useConfirmIdentity } from "@/lib/resources/account/queries";

import { PasskeyButton } from "./passkey-button";

/** Asks for the second factor, or for the password if there is none. */
export function ConfirmIdentity({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useTranslations("auth.confirm");
  const { close } = useLayer();
  const explainFailure = useExplainFailure();
  const account = useAccount();
  return (
    <Question title={t("title")} body={<p>{t("lead")}</p>} onClose={close}>
      <div className="mt-4">
        {account.isError && <Alert>{explainFailure(account.error)}</Alert>}
        {account.isPending && <div className="h-24 rounded-lg bg-kumo-fill motion-safe:animate-pulse" />}
        {account.data && <ConfirmForm account={account.data} onConfirmed={onConfirmed} />}
      </div>
    </Question>
  );
}

type Values = { password: string; code: string };
const resolver = contractResolver<Values>(confirmationInput, (values) => values);

function ConfirmForm({ account, onConfirmed }: { account: Account; onConfirmed: () => void }) {
  const t = useTranslations("auth.confirm");
  const { close } = useLayer();
  const confirm = useConfirmIdentity();
  const confirmByPasskey = useConfirmByPasskey();
  const explainFailure = useExplainFailure();
  const [problem, setProblem] = useState<string | null>(null);
  const form = useSheetForm<Values>({
    resolver,
    defaultValues: { password: "", code: "" },
    fields: ["password", "code"],
    send: async (values) => {
      setProblem(null);
      await confirm.mutateAsync(values);
      onConfirmed();
      close();
    },
  });
  async function confirmWithPasskey(): Promise<void> {
    setProblem(null);
    try {
      await confirmByPasskey.mutateAsync();
      onConfirmed();
      close();
    } catch (error) {
      setProblem(error instanceof PasskeyRefused ? t("passkeyRefused") : explainFailure(error as Error));
    }
  }

  // The dialog was empty when it took the focus.
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => element.current?.querySelector<HTMLElement>("button, input:not([type=hidden])")?.focus(), []);
  return (
    <form ref={element} noValidate aria-label={t("title")} className="grid gap-4" onSubmit={form.onSubmit}>
      <Alert>{problem ?? form.problem}</Alert>
      {account.passkeys > 0 && <PasskeyButton run={confirmWithPasskey}>{t("passkey")}</PasskeyButton>}
      {account.two_factor || account.passkeys > 0 ? (
        <TextField
          {...form.field("code")}
          label={t(account.two_factor ? "code" : "recoveryCode")}
          hint={t(account.two_factor ? "codeHint" : "recoveryHint")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <>
          <input type="hidden" name="username" autoComplete="username" value={account.email} readOnly />
          <TextField
            {...form.field("password")}
            label={t("password")}
            type="password"
            autoComplete="current-password"
          />
        </>
      )}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button variant="secondary" disabled={form.busy} onClick={close}>
          {t("cancel")}
        </Button>
        <Button type="submit" variant="primary" className="ignores-double-click" loading={form.busy}>
          {t("confirm")}
        </Button>
      </div>
    </form>
  );
}
