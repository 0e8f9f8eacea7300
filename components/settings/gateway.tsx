"use client";

import { Button } from "@cloudflare/kumo/components/button";
import { useKumoToastManager } from "@cloudflare/kumo/components/toast";
import { type ReactNode, useState } from "react";
import { ConfirmAction } from "@/components/shell/confirm-action";
import { LoadFailure, Skeleton } from "@/components/shell/list/list-frame";
import { useSheetForm } from "@/components/shell/use-sheet-form";
import { Alert } from "@/components/ui/alert";
import { contractResolver } from "@/components/ui/contract-form";
import { CopyButton } from "@/components/ui/copy-button";
import { explainFailure } from "@/components/ui/explain-failure";
import { Field, TextInput } from "@/components/ui/field";
import { When } from "@/components/ui/when";
import { shownMode } from "@/lib/api/client";
import { type GatewayAccount, gatewayAccountInput } from "@/lib/gateway-accounts/contract";
import { useConnect, useConnectedAccount, useDisconnect } from "@/lib/gateway-accounts/queries";
import { SectionForm } from "./section-form";

/** Who takes the money, in the mode that the page shows. */
export function Gateway() {
  const account = useConnectedAccount();
  const [times, setTimes] = useState(0);
  const [replacing, setReplacing] = useState(false);
  if (account.isPending) return <Skeleton what="the gateway" />;
  if (account.isError) return <LoadFailure what="gateway" query={account} />;
  return (
    <div className="grid gap-5">
      {account.data ? (
        <Connected account={account.data} onReplace={() => setReplacing(!replacing)} replacing={replacing} />
      ) : (
        <p className="text-base text-kumo-default">
          {shownMode() === "test"
            ? "No Stripe account is connected in test mode: payments go to the built-in sandbox."
            : "No Stripe account is connected in live mode: nobody can pay."}
        </p>
      )}
      {(!account.data || replacing) && (
        <ConnectForm
          key={times}
          onDone={() => {
            setTimes(times + 1); // the keys do not stay in the page
            setReplacing(false);
          }}
        />
      )}
    </div>
  );
}

interface ConnectedProps {
  account: GatewayAccount;
  replacing: boolean;
  onReplace: () => void;
}

function Connected({ account, replacing, onReplace }: ConnectedProps) {
  const { _id, external_id, key_last4, webhook_url, updated_at } = account;
  const disconnect = useDisconnect();
  const toasts = useKumoToastManager();
  const [asking, setAsking] = useState(false);
  const confirm = () =>
    disconnect.mutate(_id, {
      onSuccess: () => toasts.add({ title: "Disconnected" }),
      onSettled: () => setAsking(false),
    });
  return (
    <div className="grid gap-4 rounded-xl bg-kumo-base p-4 ring ring-kumo-line">
      <Alert>{disconnect.error && explainFailure(disconnect.error)}</Alert>
      <dl className="grid gap-x-6 gap-y-3 text-base sm:grid-cols-2">
        <Fact term="Stripe account">
          <span className="font-mono text-sm wrap-anywhere">{external_id}</span>
        </Fact>
        <Fact term="Secret key">
          <span className="font-mono text-sm">…{key_last4}</span>
        </Fact>
        <Fact term="Since">
          <When at={updated_at} />
        </Fact>
        <div className="min-w-0 sm:col-span-2">
          <dt className="text-sm text-kumo-subtle">Stripe calls</dt>
          <dd className="mt-0.5 flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-mono text-sm wrap-anywhere">{webhook_url}</span>
            <CopyButton text={webhook_url} what="address" variant="secondary">
              Copy
            </CopyButton>
          </dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" aria-expanded={replacing} onClick={onReplace}>
          Use other keys
        </Button>
        <Button variant="ghost" onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      </div>
      <ConfirmAction
        open={asking}
        onOpenChange={setAsking}
        title="Disconnect this Stripe account?"
        action="Disconnect"
        destructive
        busy={disconnect.isPending}
        onConfirm={confirm}
      >
        <p>
          {shownMode() === "test"
            ? "New test payments go to the sandbox."
            : "Nobody can pay any more until an account is connected again."}
        </p>
        <p>Its keys stay, encrypted, for refunds and for payments that are open.</p>
      </ConfirmAction>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-kumo-subtle">{term}</dt>
      <dd className="mt-0.5 text-kumo-default">{children}</dd>
    </div>
  );
}

type Values = { secret_key: string; webhook_secret: string };
const toBody = ({ secret_key, webhook_secret }: Values) => ({
  secret_key: secret_key.trim(),
  webhook_secret: webhook_secret.trim() || null,
});
const resolver = contractResolver<Values>(gatewayAccountInput, toBody, (errors) => ({
  ...errors,
  ...(errors.secret_key && { secret_key: errors.secret_key.map((text) => text.replace("secret_key", "secret key")) }),
}));

function ConnectForm({ onDone }: { onDone: () => void }) {
  const connect = useConnect();
  const toasts = useKumoToastManager();
  const { register, errorOf, ...form } = useSheetForm<Values>({
    resolver,
    defaultValues: { secret_key: "", webhook_secret: "" },
    fields: ["secret_key", "webhook_secret"],
    // Sent twice it connects the same account, so it needs no key of its own.
    send: async (values) => {
      const { external_id, callbacks } = await connect.mutateAsync(toBody(values));
      const missing = "Stripe does not call yet: make an endpoint there for the address shown.";
      toasts.add({ title: `Connected ${external_id}`, description: callbacks === "missing" ? missing : undefined });
      onDone();
    },
  });
  const key = shownMode() === "test" ? "sk_test_…" : "sk_live_…";
  return (
    <SectionForm label="Stripe account" action="Connect" canWrite {...form}>
      <Field
        label="Secret key"
        error={errorOf("secret_key")}
        hint="Stripe’s secret or restricted key of this mode. It is tried at once, kept encrypted, and never shown again."
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("secret_key")}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={key}
          />
        )}
      </Field>
      <Field
        label="Webhook secret"
        optional
        error={errorOf("webhook_secret")}
        hint="Only of an endpoint that you made at Stripe by hand. Otherwise one is made."
      >
        {(control) => (
          <TextInput
            {...control}
            {...register("webhook_secret")}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="whsec_…"
          />
        )}
      </Field>
    </SectionForm>
  );
}
