"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useState } from "react";
import { SheetForm } from "@/components/shell/sheet-form";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, TextInput } from "@/components/ui/field";
import { beginInput, codeInput } from "@/lib/account/contract";
import { useBeginTwoFactor, useConfirmTwoFactor } from "@/lib/account/queries";

interface Begun {
  secret: string;
  qr_svg: string;
}

/** Password, then the app, then a code of it, then the recovery codes. */
export function BeginTwoFactor({ onDone }: { onDone: () => void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return begun ? <Confirm begun={begun} onConfirmed={setCodes} /> : <AskPassword onBegun={setBegun} />;
}

const passwordResolver = contractResolver<{ password: string }>(beginInput, (values) => values);

function AskPassword({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const begin = useBeginTwoFactor();
  const form = useSheetForm<{ password: string }>({
    resolver: passwordResolver,
    defaultValues: { password: "" },
    fields: ["password"],
    send: async (values) => onBegun(await begin.mutateAsync(values)),
  });
  return (
    <SheetForm label="Begin" action="Go on" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base leading-relaxed text-kumo-subtle">
        You need an authenticator app on your phone: Aegis, 2FAS, Google Authenticator, 1Password, or any other.
      </p>
      <Field label="Your password" error={form.errorOf("password")}>
        {(control) => (
          <TextInput {...control} {...form.register("password")} type="password" autoComplete="current-password" />
        )}
      </Field>
    </SheetForm>
  );
}

const codeResolver = contractResolver<{ code: string }>(codeInput, (values) => values);

function Confirm({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: string[]) => void }) {
  const confirm = useConfirmTwoFactor();
  const form = useSheetForm<{ code: string }>({
    resolver: codeResolver,
    defaultValues: { code: "" },
    fields: ["code"],
    send: async (values) => onConfirmed((await confirm.mutateAsync(values)).recovery_codes),
  });
  return (
    <SheetForm label="Confirm" action="Turn on" problem={form.problem} busy={form.busy} onSubmit={form.onSubmit}>
      <p className="text-base leading-relaxed text-kumo-subtle">
        Scan this with the app, or type the key. Then enter the six digits that it shows.
      </p>
      {/* biome-ignore lint/performance/noImgElement: made here and now, nothing to optimise */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(begun.qr_svg)}`}
        alt="QR code of the key below"
        className="size-48 rounded-lg bg-white ring ring-kumo-line"
      />
      <div className="flex items-center gap-2">
        <code className="min-w-0 font-mono text-sm break-all text-kumo-default" data-secret>
          {begun.secret}
        </code>
        <CopyButton text={begun.secret} what="key" />
      </div>
      <Field label="Code" error={form.errorOf("code")}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("code")}
            inputMode="numeric"
            autoComplete="one-time-code"
            className="tabular-nums"
          />
        )}
      </Field>
    </SheetForm>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="grid content-start gap-4 overflow-y-auto p-5">
      <p className="text-base leading-relaxed text-kumo-default">
        Two-factor sign-in is on. Keep these recovery codes where your phone is not: each lets you in once, if you lose
        it. They are shown now and never again.
      </p>
      <ul aria-label="Recovery codes" className="grid gap-1.5 rounded-lg bg-kumo-recessed p-4 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join("\n")} what="recovery codes" variant="secondary">
          Copy all
        </CopyButton>
        <Button variant="primary" onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}
