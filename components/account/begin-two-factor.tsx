import { useState } from "react";
import { useTranslations } from "use-intl";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { TextField } from "@/components/ui/form-fields";
import { SheetForm } from "@/components/ui/sheet-form";
import { useSheetForm } from "@/components/ui/use-sheet-form";
import { codeInput } from "@/lib/resources/account/contract";
import { useBeginTwoFactor, useConfirmTwoFactor } from "@/lib/resources/account/queries";
import { RecoveryCodes } from "./recovery-codes";

interface Begun {
  secret: string;
  qr_svg: string;
}

export function BeginTwoFactor({ onDone }: { onDone: () => void }) {
  const t = useTranslations("account.beginTwoFactor");
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes lead={t("on")} codes={codes} onDone={onDone} />;
  return begun ? <Confirm begun={begun} onConfirmed={setCodes} /> : <Introduction onBegun={setBegun} />;
}

function Introduction({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const t = useTranslations("account.beginTwoFactor");
  const begin = useBeginTwoFactor();
  const form = useSheetForm<Record<string, never>>({
    resolver: async () => ({ values: {}, errors: {} }),
    defaultValues: {},
    fields: [],
    send: async () => onBegun(await begin.mutateAsync(undefined)),
  });
  return (
    <SheetForm label={t("begin")} action={t("goOn")} {...form}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t("app")}</p>
    </SheetForm>
  );
}

const codeResolver = contractResolver<{ code: string }>(codeInput, (values) => values);

function Confirm({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: string[]) => void }) {
  const t = useTranslations("account.beginTwoFactor");
  const confirm = useConfirmTwoFactor();
  const form = useSheetForm<{ code: string }>({
    resolver: codeResolver,
    defaultValues: { code: "" },
    fields: ["code"],
    secret: true,
    send: async (values) => onConfirmed((await confirm.mutateAsync(values)).recovery_codes),
  });
  return (
    <SheetForm label={t("confirm")} action={t("turnOn")} {...form}>
      <p className="text-base leading-relaxed text-kumo-subtle">{t("scan")}</p>
      {/* biome-ignore lint/performance/noImgElement: a data URL, nothing to optimise */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(begun.qr_svg)}`}
        alt={t("qrCode")}
        className="size-48 rounded-lg bg-white ring ring-kumo-line"
      />
      <div className="flex items-center gap-2">
        <code className="min-w-0 font-mono text-sm break-all text-kumo-default" data-secret>
          {begun.secret}
        </code>
        <CopyButton text={begun.secret} label={t("copyKey")} />
      </div>
      <TextField
        {...form.field("code")}
        label={t("code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        className="tabular-nums"
      />
    </SheetForm>
  );
}
